import logging, sys
logging.basicConfig(level=logging.INFO)
log = logging.getLogger("etl")

def price(row):
    return row["price"] / row["units"]

def direct():
    try:
        price({"price": 3, "units": 0})
    except ZeroDivisionError as e:
        raise ValueError("row 12 of prices.csv is not valid") from e

def handling():
    try:
        price({})
    except KeyError:
        open("/data/dead-letters.json")

def logged_then_fine():
    try:
        price({})
    except KeyError:
        log.exception("row 7 was skipped")
    log.info("done")

def logged_then_exit():
    try:
        direct()
    except ValueError:
        log.exception("job failed")
        sys.exit(1)

def nested():
    import json
    json.loads('{"a": }')

def printed_then_fine():
    import traceback
    try:
        direct()
    except ValueError:
        traceback.print_exc()
    print("26/11/23 18:00:02 INFO SparkContext: Starting job: count at job.py:40", file=sys.stderr)
    print("26/11/23 18:00:04 INFO SparkContext: SparkContext is stopping with exitCode 0.", file=sys.stderr)
    print("26/11/23 18:00:04 INFO SparkContext: Successfully stopped SparkContext", file=sys.stderr)

def multiline():
    raise RuntimeError("checks failed:\n  - prices: 3 rows\n  - units: 1 row")

def group():
    raise ExceptionGroup("two parts failed", [ValueError("a"), KeyError("b")])

def interrupted():
    raise KeyboardInterrupt

globals()[sys.argv[1]]()
