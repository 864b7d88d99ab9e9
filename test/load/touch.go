package load

import "context"

// Touch writes one object of each kind once more, as it is. A kind that nothing happens to has no copy in the API server's
// watch cache that is younger than etcd's last compaction, which comes every five minutes, so that all pages of a list but
// the first are read from etcd; no kind of a fleet is quiet for so long (RemoveLess in
// pkg/storage/cacher/store/store_btree.go and pkg/storage/cacher/compactor.go of k8s.io/apiserver@v0.37.0).
func Touch(ctx context.Context, etcd string) error {
	s := newStore(etcd)
	for _, prefix := range kinds() {
		list, err := s.atMost(ctx, prefix, 1)
		if err != nil {
			return err
		}
		for _, kv := range list {
			if err := s.put(ctx, kv); err != nil {
				return err
			}
		}
	}
	return nil
}
