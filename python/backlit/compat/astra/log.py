"""Messages of scripts, by Python's logging (the logger "astra"). Files and formats of ASTRA's own are left alone."""

import logging
import sys

STDOUT, STDERR = 1, 2
DEBUG, INFO, WARN, ERROR = logging.DEBUG, logging.INFO, logging.WARNING, logging.ERROR

_logger = logging.getLogger("astra")
debug, info, warn, error = _logger.debug, _logger.info, _logger.warning, _logger.error


def setOutputScreen(fd, level):
    """Messages of that level and above go to STDOUT or STDERR."""
    _logger.handlers[:] = [logging.StreamHandler(sys.stdout if fd == STDOUT else sys.stderr)]
    _logger.setLevel(level)


def enable():
    _logger.disabled = False


def disable():
    _logger.disabled = True


enableScreen, disableScreen = enable, disable


def _nothing(*_):
    """Without effect."""


enableFile = disableFile = setOutputFile = setFormatFile = setFormatScreen = _nothing
