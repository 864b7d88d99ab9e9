package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/controlplane"
)

func main() {
	s := time.Now()
	cp, err := controlplane.Start(context.Background(), controlplane.Options{Log: os.Stderr, KeepDir: true})
	fmt.Println(err, time.Since(s))
	if err == nil {
		cp.Stop()
		fmt.Println(cp.Dir, time.Since(s))
	}
}
