# Labels with barcodes: printed, and read again.
labels_once_tests = tests/labels/labels.sh
TESTS += $(labels_once_tests)
once_tests += $(labels_once_tests)
EXTRA_DIST += tests/labels/label.py tests/labels/labels.py
