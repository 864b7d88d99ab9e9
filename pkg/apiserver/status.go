package apiserver

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

// Named returns an error that says something. A proxy may answer with a Status that has no message, of which
// apierrors.StatusError makes an empty text.
func Named(err error) error {
	var status *apierrors.StatusError
	if !errors.As(err, &status) || strings.TrimSpace(status.ErrStatus.Message) != "" {
		return err
	}
	named := *status
	text := cmp.Or(http.StatusText(int(named.ErrStatus.Code)), string(named.ErrStatus.Reason), "no reason given")
	named.ErrStatus.Message = fmt.Sprintf("the API server answered %d (%s) without a message", named.ErrStatus.Code, text)
	return &named
}
