package mechanism

import (
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
)

// BucketInHost is a host that does not resolve, as a client of S3 put the bucket before that of the endpoint: it does unless path style is
// set (hadoop-tools/hadoop-aws/src/site/markdown/tools/hadoop-aws/third_party_stores.md of apache/hadoop@1665144). A host of AWS
// or of another cloud looks alike, and begins with the bucket as it should.
type BucketInHost struct {
	Bucket, Host string
	Endpoint     Setting
	PathStyle    Setting // that is not true
}

// Mechanism names it.
func (BucketInHost) Mechanism() cause.ID { return "bucket-in-host" }

// endpointStyle are settings of a client, by the ends of their keys.
type endpointStyle struct{ endpoint, pathStyle string }

// endpointStyles are those of S3A, and of Iceberg's own client of S3
// (aws/src/main/java/org/apache/iceberg/aws/s3/S3FileIOProperties.java of apache/iceberg@0e4731f).
func endpointStyles() []endpointStyle {
	return []endpointStyle{{".endpoint", ".path.style.access"}, {".s3.endpoint", ".s3.path-style-access"}}
}

// clouds have a name for each bucket.
func clouds() []string {
	return []string{".amazonaws.com", ".amazonaws.com.cn", ".googleapis.com", ".aliyuncs.com", ".myqcloud.com", ".r2.cloudflarestorage.com",
		".digitaloceanspaces.com"}
}

// BucketBeforeHost explains a host that does not resolve by the endpoint that the spec gives.
func BucketBeforeHost(v *View, about *cause.Cause) (cause.Cause, bool) {
	failed, is := about.Detail.(logs.Failure)
	if !is || !failed.Connection.Unresolved {
		return cause.Cause{}, false
	}
	for _, host := range hostsOf(&failed.Connection) {
		host, _, _ = strings.Cut(host, ":")
		d, found := endpointBehind(v, host)
		if !found {
			continue
		}
		out := cause.Cause{Class: cause.Configuration, Certainty: about.Certainty, Role: about.Role, Subject: about.Subject, At: about.At,
			Trust: about.Trust, Detail: d, Evidence: []cause.Proof{{Object: v.AppRef(), Field: d.Endpoint.String(), Value: v.valueOf(d.Endpoint)}}}
		if name, _ := clusterNameOf(host); !name.Svc {
			out.Certainty = check.Likely // whether it has a name for each bucket, its owner knows
		}
		return out, true
	}
	return cause.Cause{}, false
}

// endpointBehind is the endpoint before whose host a bucket stands.
func endpointBehind(v *View, host string) (BucketInHost, bool) {
	for _, in := range []struct {
		of       string
		settings map[string]string
	}{{"hadoopConf", v.Spec.HadoopConf}, {"sparkConf", v.Spec.Conf}} {
		for key, value := range in.settings {
			at := slices.IndexFunc(endpointStyles(), func(s endpointStyle) bool { return isEndpoint(key, s) })
			if at < 0 {
				continue
			}
			begin, _ := strings.CutSuffix(key, endpointStyles()[at].endpoint)
			d := BucketInHost{Host: host, Endpoint: Setting{in.of, key}, PathStyle: Setting{in.of, begin + endpointStyles()[at].pathStyle}}
			bucket, of := strings.CutSuffix(host, "."+hostOf(value))
			if d.Bucket = bucket; of && bucket != "" && !ofCloud(host) && !v.pathStyle(d.Bucket, d.PathStyle) {
				return d, true
			}
		}
	}
	return BucketInHost{}, false
}

// isEndpoint tells the endpoint of a store: of all buckets with S3A, of a catalog with Iceberg's client.
func isEndpoint(key string, s endpointStyle) bool {
	if s.endpoint == ".endpoint" {
		return strings.TrimPrefix(key, "spark.hadoop.") == "fs.s3a.endpoint"
	}
	return strings.HasPrefix(key, "spark.sql.catalog.") && strings.HasSuffix(key, s.endpoint)
}

// valueOf is what the spec sets.
func (v *View) valueOf(s Setting) string {
	if s.In == "hadoopConf" {
		return v.Spec.HadoopConf[s.Key]
	}
	return v.Spec.Conf[s.Key]
}

// pathStyle reports whether path style is set, for all buckets or this one.
func (v *View) pathStyle(bucket string, by Setting) bool {
	keys := []string{by.Key}
	if strings.Contains(by.Key, "fs.s3a.") {
		keys = []string{"fs.s3a.path.style.access", "fs.s3a.bucket." + bucket + ".path.style.access"}
	}
	return slices.ContainsFunc(keys, func(key string) bool {
		return slices.ContainsFunc([]string{v.Spec.HadoopConf[key], v.Spec.Conf["spark.hadoop."+key], v.Spec.Conf[key]}, func(value string) bool {
			return strings.EqualFold(value, "true")
		})
	})
}

func ofCloud(host string) bool {
	return slices.ContainsFunc(clouds(), func(end string) bool { return strings.HasSuffix(host, end) })
}

// hostOf is the host of an endpoint: "http://minio.store.svc:9000", "minio.store.svc:9000".
func hostOf(endpoint string) string {
	_, rest, has := strings.Cut(endpoint, "://")
	if !has {
		rest = endpoint
	}
	rest, _, _ = strings.Cut(rest, "/")
	host, _, _ := strings.Cut(rest, ":")
	return host
}
