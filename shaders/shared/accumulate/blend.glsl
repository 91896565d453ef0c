// The blend unit adds what fragments put out.
VALUE added(VALUE value, int layer) { return value; }
