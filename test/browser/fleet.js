// fleet is a dump with 12 faulty applications in each of so many namespaces, of four kinds, at 2026-11-23T15:00:00Z.
export const fleet = (namespaces) => Array.from({ length: namespaces }, (_, n) => {
  const namespace = "team-" + String(n + 1).padStart(2, "0");
  return Array.from({ length: 12 }, (_, i) => faulty(namespace, i)).join("");
}).join("") + workflow;

const workflow = `---
apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata: {name: nightly, namespace: argo, uid: uid-nightly}
`;

function faulty(namespace, i) {
  const name = `job-${String(i).padStart(2, "0")}`;
  const owner = (owned, uid) => `ownerReferences: [{apiVersion: argoproj.io/v1alpha1, kind: Workflow, name: ${owned}, uid: ${uid}}], `;
  const completed = '{applicationState: {state: COMPLETED}, lastSubmissionAttemptTime: "2026-11-23T09:00:00Z", terminationTime: "2026-11-23T10:00:00Z"}';
  const running = `{applicationState: {state: RUNNING}, lastSubmissionAttemptTime: "2026-11-23T14:00:00Z", submissionID: s1, driverInfo: {podName: ${name}-driver}}`;
  const application = (metadata, status) => `---
apiVersion: sparkoperator.k8s.io/v1beta2
kind: SparkApplication
metadata: {${metadata}name: ${name}, namespace: ${namespace}, uid: uid-${namespace}-${name}, creationTimestamp: "2026-11-23T08:00:00Z"}
spec: {type: Scala, mode: cluster, sparkVersion: 3.5.3, mainApplicationFile: "local:///job.jar", timeToLiveSeconds: 86400,
  driver: {serviceAccount: spark-driver}, executor: {instances: 2}}
status: ${status}
`;
  return [
    () => application(owner("nightly", "uid-nightly"), completed),
    () => application(owner("gone", `uid-gone-${namespace}`), completed),
    () => application('deletionTimestamp: "2026-11-23T12:00:00Z", finalizers: [example.com/audit], ', completed),
    () => application("", running),
  ][i % 4]();
}
