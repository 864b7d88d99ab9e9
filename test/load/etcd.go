package load

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"
)

// store is etcd, by its JSON gateway (etcd.io/docs/v3.6/dev-guide/api_grpc_gateway).
type store struct {
	address string
	client  *http.Client
}

// newStore keeps a connection for each worker.
func newStore(address string) store {
	return store{address, &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: maxWorkers, IdleConnTimeout: 10 * time.Second}}}
}

type keyValue struct {
	Key   []byte `json:"key"`
	Value []byte `json:"value"`
}

// under returns everything whose key starts so.
func (s store) under(ctx context.Context, prefix string) ([]keyValue, error) {
	return s.atMost(ctx, prefix, 0)
}

// atMost returns the first of them; 0: all.
func (s store) atMost(ctx context.Context, prefix string, limit int) ([]keyValue, error) {
	end := []byte(prefix)
	end[len(end)-1]++
	var got struct {
		KVs []keyValue `json:"kvs"`
	}
	err := s.do(ctx, "/v3/kv/range", map[string]any{"key": []byte(prefix), "range_end": end, "limit": limit}, &got)
	return got.KVs, err
}

// count returns how many keys start so.
func (s store) count(ctx context.Context, prefix string) (int, error) {
	end := []byte(prefix)
	end[len(end)-1]++
	var got struct {
		Count int `json:"count,string"`
	}
	err := s.do(ctx, "/v3/kv/range", map[string]any{"key": []byte(prefix), "range_end": end, "count_only": true}, &got)
	return got.Count, err
}

// put writes an object. Each is written by itself, as the API server does: of those that a transaction writes at one
// revision, its watch cache may hold some when it is compared with etcd, and then it is not used for minutes (delegator.go in
// pkg/storage/cacher of k8s.io/apiserver@v0.37.0).
func (s store) put(ctx context.Context, kv keyValue) error {
	return s.do(ctx, "/v3/kv/put", kv, &struct{}{})
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
	resp, err := s.client.Do(req)
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
	list, err := newStore(etcd).under(ctx, "/registry/"+applications().Group+"/"+applications().Resource+"/")
	var sum int64
	for _, kv := range list {
		sum += int64(len(kv.Value))
	}
	return sum, err
}
