package snapshot

// IgnoreAnnotation is where an object says which findings about it are accepted.
const IgnoreAnnotation = "sparkdoctor.io/ignore"
