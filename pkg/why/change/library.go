package change

import (
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// library is another release of a library that the spec names, where its version is known.
func library(v *mechanism.View, c *cause.Cause) []Change {
	d, is := c.Detail.(mechanism.LibraryMisfit)
	object, prefix := owner(v)
	if !is || object.Name == "" || !d.Released() {
		return nil
	}
	because := FitsRelease{Base: d.Base}
	with := secondSDK(v, d.New)
	switch d.From {
	case mechanism.ByPackages:
		to := slices.Clone(v.Spec.Packages)
		at := slices.Index(to, d.Old.String())
		if at < 0 {
			return nil
		}
		to[at] = d.New.String()
		return append([]Change{{Object: object, Path: below(prefix, "deps", "packages"), From: v.Spec.Packages, To: to, Because: because,
			Item: &Item{At: "", From: withoutGroup(d.Old, d.New), To: withoutGroup(d.New, d.Old)}}}, with...)
	case mechanism.BySetting:
		const setting = "spark.jars.packages"
		return append([]Change{set(v, field{setting: setting}, strings.Replace(v.Spec.Conf[setting], d.Old.String(), d.New.String(), 1),
			because)}, with...)
	default:
		return nil
	}
}

// withoutGroup is a library by its coordinates, without the group that another one has, too.
func withoutGroup(l, other mechanism.Library) string {
	if l.Group == other.Group {
		return l.Artifact + ":" + l.Version
	}
	return l.String()
}

// SecondSDK is a class of AWS SDK 2, which Hadoop has from 3.4 on, for one of SDK 1.
type SecondSDK struct{}

func (SecondSDK) reason() {}

// secondSDK names the class by which Hadoop 3.4 reads the token of a service account, where the spec names that of SDK 1: S3A translates
// others by itself (hadoop-tools/hadoop-aws/src/main/java/org/apache/hadoop/fs/s3a/auth/CredentialProviderListFactory.java of
// apache/hadoop@rel/release-3.4.1).
func secondSDK(v *mechanism.View, fits mechanism.Library) []Change {
	if !mechanism.OfSDK2(fits) {
		return nil
	}
	for _, s := range []mechanism.Setting{{In: "hadoopConf", Key: mechanism.S3AProviders},
		{In: "sparkConf", Key: "spark.hadoop." + mechanism.S3AProviders}} {
		was := v.Spec.HadoopConf[s.Key]
		if s.In == "sparkConf" {
			was = v.Spec.Conf[s.Key]
		}
		if now := strings.Replace(was, mechanism.TokenProvider(false), mechanism.TokenProvider(true), 1); now != was {
			return inSettings(v, s, now, SecondSDK{})
		}
	}
	return nil
}

// archive is an archive that spark.archives gives, with the name of its folder.
func archive(v *mechanism.View, c *cause.Cause) []Change {
	d, is := c.Detail.(mechanism.ArchiveUnnamed)
	if !is || !d.Setting {
		return nil
	}
	return []Change{set(v, field{setting: "spark.archives"}, d.Archive.File+"#"+d.Folder, Told{})}
}

// HoldsClass is a package that holds the class which is missing.
type HoldsClass struct{}

func (HoldsClass) reason() {}

// connectPackage adds the package of the server of Spark Connect.
func connectPackage(v *mechanism.View, c *cause.Cause) []Change {
	d, is := c.Detail.(mechanism.ConnectUnpackaged)
	if !is {
		return nil
	}
	because := HoldsClass{}
	if !d.Setting {
		object, prefix := owner(v)
		if object.Name == "" {
			return nil
		}
		to := append(slices.Clone(v.Spec.Packages), d.Package)
		one := Change{Object: object, Path: below(prefix, "deps", "packages"), To: to, Because: because, Item: &Item{To: d.Package}}
		if len(v.Spec.Packages) > 0 {
			one.From = v.Spec.Packages
		}
		return []Change{one}
	}
	const setting = "spark.jars.packages"
	to := d.Package
	if now := v.Spec.Conf[setting]; now != "" {
		to = now + "," + to
	}
	one := set(v, field{setting: setting}, to, because)
	if to != d.Package {
		one.Item = &Item{To: d.Package}
	}
	return []Change{one}
}
