package snapshot

// Record is a decoded item: one of the record types of this package.
type Record interface{ object() *Object }

func (o *Object) object() *Object { return o }
