package load

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
)

// store is etcd, by its JSON gateway (etcd.io/docs/v3.6/dev-guide/api_grpc_gateway).
type store struct{ address string }

type keyValue struct {
	Key   []byte `json:"key"`
	Value []byte `json:"value"`
}

// under returns everything whose key starts so.
func (s store) under(ctx context.Context, prefix string) ([]keyValue, error) {
	end := []byte(prefix)
	end[len(end)-1]++
	var got struct {
		KVs []keyValue `json:"kvs"`
	}
	err := s.do(ctx, "/v3/kv/range", map[string]any{"key": []byte(prefix), "range_end": end}, &got)
	return got.KVs, err
}

// put writes all of it, or nothing.
func (s store) put(ctx context.Context, list []keyValue) error {
	ops := make([]map[string]any, 0, len(list))
	for _, kv := range list {
		ops = append(ops, map[string]any{"request_put": kv})
	}
	return s.do(ctx, "/v3/kv/txn", map[string]any{"success": ops}, &struct{}{})
}

func (s store) do(ctx context.Context, path string, in, out any) error {
	body, err := json.Marshal(in)
	if err != nil {
		return fmt.Errorf("encoding a request for etcd: %w", err)
	}
	address, err := url.JoinPath(s.address, path)
	if err != nil {
		return fmt.Errorf("parsing etcd's address: %w", err)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("asking etcd: %w", err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return fmt.Errorf("asking etcd: %w", err)
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err != nil {
		return fmt.Errorf("reading etcd's answer: %w", err)
	}
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("etcd answered %s: %.200s", resp.Status, answer)
	}
	return json.Unmarshal(answer, out)
}

// Stored returns how many bytes the SparkApplications of a fleet take in etcd.
func Stored(ctx context.Context, etcd string) (int64, error) {
	list, err := store{etcd}.under(ctx, "/registry/"+applications().Group+"/"+applications().Resource+"/")
	var sum int64
	for _, kv := range list {
		sum += int64(len(kv.Value))
	}
	return sum, err
}
