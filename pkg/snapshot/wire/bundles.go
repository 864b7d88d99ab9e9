package wire

import (
	"encoding/base64"

	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// withoutBundles decodes a webhook configuration also where a caBundle is no base64: who shares a dump shortens what is long, and the rest
// of the configuration tells what it tells.
func withoutBundles(decode decoder) decoder {
	return func(d *Decoder, src snapshot.Source, item Item) (snapshot.Record, error) {
		record, err := decode(d, src, item)
		if err == nil || item.Encoding != snapshot.JSON {
			return record, err
		}
		raw, unread := bundlesLeftOut(item.Raw)
		if len(unread) == 0 {
			return record, err
		}
		item.Raw = raw
		again, bad := decode(d, src, item)
		c, is := again.(*snapshot.WebhookConfiguration)
		if bad != nil || !is {
			return record, err
		}
		for _, at := range unread {
			if at < len(c.Webhooks) {
				c.Webhooks[at].CABundle = snapshot.Unread()
			}
		}
		return c, nil
	}
}

// bundlesLeftOut is a configuration without the bundles that are no base64, and which of its webhooks had such.
func bundlesLeftOut(raw []byte) (without []byte, unread []int) {
	var o map[string]any
	if utiljson.Unmarshal(raw, &o) != nil {
		return raw, nil
	}
	webhooks, _ := o["webhooks"].([]any)
	for i := range webhooks {
		w, _ := webhooks[i].(map[string]any)
		client, _ := w["clientConfig"].(map[string]any)
		text, is := client["caBundle"].(string)
		if !is {
			continue
		}
		if _, err := base64.StdEncoding.DecodeString(text); err != nil {
			delete(client, "caBundle")
			unread = append(unread, i)
		}
	}
	without, err := utiljson.Marshal(o)
	if err != nil {
		return raw, nil
	}
	return without, unread
}
