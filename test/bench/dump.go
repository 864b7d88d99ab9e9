package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
)

// dump writes the fleet as kubectl get -o json would, page by page: kubectl itself takes gigabytes of memory for that.
func (b *bench) dump(ctx context.Context) (err error) {
	file, err := os.Create(b.file("dump.json"))
	if err != nil {
		return fmt.Errorf("creating the dump: %w", err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	out := bufio.NewWriterSize(file, 1<<20)
	if _, err := io.WriteString(out, "{\n    \"apiVersion\": \"v1\",\n    \"items\": [\n"); err != nil {
		return fmt.Errorf("writing the dump: %w", err)
	}
	d := dumper{out: out}
	for _, kind := range []struct{ path, apiVersion, kind string }{
		{"/apis/sparkoperator.k8s.io/v1beta2/sparkapplications", "sparkoperator.k8s.io/v1beta2", "SparkApplication"},
		{"/api/v1/pods", "v1", "Pod"},
	} {
		for token := ""; ; {
			answer, err := b.cp.Client.CoreV1().RESTClient().Get().RequestURI(kind.path + "?limit=500&continue=" + url.QueryEscape(token)).DoRaw(ctx)
			if err != nil {
				return fmt.Errorf("listing for the dump: %w", err)
			}
			if token, err = d.page(answer, kind.apiVersion, kind.kind); err != nil {
				return err
			}
			if token == "" {
				break
			}
		}
	}
	if _, err := io.WriteString(out, "\n    ],\n    \"kind\": \"List\",\n    \"metadata\": {}\n}\n"); err != nil {
		return fmt.Errorf("writing the dump: %w", err)
	}
	return out.Flush()
}

type dumper struct {
	out   *bufio.Writer
	count int
}

// page writes the items of a page, each with its kind, and returns where the list goes on.
func (d *dumper) page(answer []byte, apiVersion, kind string) (string, error) {
	var list struct {
		Metadata struct {
			Continue string `json:"continue"`
		} `json:"metadata"`
		Items []map[string]any `json:"items"`
	}
	if err := json.Unmarshal(answer, &list); err != nil {
		return "", fmt.Errorf("decoding a page for the dump: %w", err)
	}
	for _, item := range list.Items {
		item["apiVersion"], item["kind"] = apiVersion, kind
		text, err := json.MarshalIndent(item, "        ", "    ")
		if err != nil {
			return "", fmt.Errorf("encoding for the dump: %w", err)
		}
		separator := ",\n        "
		if d.count == 0 {
			separator = "        "
		}
		d.count++
		if _, err := d.out.WriteString(separator + string(text)); err != nil {
			return "", fmt.Errorf("writing the dump: %w", err)
		}
	}
	return list.Metadata.Continue, nil
}
