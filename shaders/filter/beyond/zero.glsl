// Beyond its ends a row is zero.
float continued(int column, int row, int view, int layer) { return weighed(column, row, view, layer); }
