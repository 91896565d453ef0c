"""Arrays of 2 axes by numbers."""

from ._store import Store as _Store

_store = _Store(2)
create, link, get, get_shared, store = _store.create, _store.link, _store.get, _store.get_shared, _store.store
get_geometry, change_geometry, dimensions = _store.get_geometry, _store.change_geometry, _store.dimensions
delete, clear, info, shepp_logan = _store.delete, _store.clear, _store.info, _store.shepp_logan
