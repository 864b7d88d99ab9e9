"""A job that fails within another failure: a traceback with a cause."""


def read(path):
    with open(path) as rows:
        return rows.readlines()


def main():
    try:
        read("/data/input.csv")
    except OSError as error:
        raise RuntimeError("stage 0 failed") from error


main()
