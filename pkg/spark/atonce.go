package spark

import "time"

// LookedAtOnce is how soon after a submission an operator may look for a driver pod that its cache does not have yet
// (kubeflow/spark-operator#795): what is given up so soon has run nothing.
const LookedAtOnce = 15 * time.Second
