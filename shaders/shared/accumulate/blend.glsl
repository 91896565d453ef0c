// The blend unit adds the fragments' results.
VALUE added(VALUE value, int layer) { return value; }
