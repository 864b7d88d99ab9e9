# The image of a release: the program that goreleaser built, on a base that has certificates and nothing to run.
# TARGETPLATFORM is where goreleaser's dockers_v2 puts the program for each platform.
FROM gcr.io/distroless/static-debian12:nonroot@sha256:d093aa3e30dbadd3efe1310db061a14da60299baff8450a17fe0ccc514a16639
ARG TARGETPLATFORM
COPY ${TARGETPLATFORM}/kubectl-sparkdoctor /kubectl-sparkdoctor
COPY LICENSE bin/THIRD_PARTY_LICENSES /
USER 65532:65532
ENTRYPOINT ["/kubectl-sparkdoctor"]
