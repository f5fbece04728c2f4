"""Bounds on what a scene file may ask for, so that loading always ends soon and fits in memory.

Each is named in the error that it causes. They are far above what a scene needs.
"""

FILE_BYTES = 8 * 1024 * 1024  # one file
SNAPSHOT_BYTES = 64 * 1024 * 1024  # one snapshot
SNAPSHOT_LINES = 500_000
STATE_BYTES = 1024 * 1024 * 1024  # one saved state
TRACE_BYTES = 256 * 1024 * 1024  # one trace, packed or unpacked
RECORD_BYTES = 8 * 1024 * 1024  # a gallery's record
IMAGE_BYTES = 64 * 1024 * 1024  # one image
IMAGE_PIXELS = 30_000_000
IMAGES = 64  # different ones of a scene
ALL_IMAGE_PIXELS = 100_000_000  # of all of them
CELLS = 1024  # pictures of one sheet
NODES = 400_000  # values of all files, with what aliases stand for and what generators make
KEY = 4  # values that a key counts as, besides the one that it has
DEPTH = 32  # nesting of mappings and lists
INCLUDES = 64  # files that include each other
PROTOTYPE_VALUES = 100_000  # of all prototypes, as often as they are built
PROTOTYPE_DEPTH = 8  # prototypes inside each other
BODIES = 100_000  # after generators
JOINTS = 100_000  # after generators
ACTUATORS = 100_000  # after generators, each counted once for every body it acts on
REPEATS = 250_000  # turns of all generators, those that `when` drops too
POLYGON_POINTS = 1_000  # of one polygon
CHAIN_POINTS = 20_000  # of one chain
POINTS = 100_000  # of all shapes together
SHAPES = 200_000  # of all bodies together
SIDES = 64  # of a regular polygon
CATEGORIES = 64  # of collision
PAIRS = 100_000  # of collision.pairs_ignore, after generators
EXPECTATIONS = 20_000  # of expect
CHANNELS = 500_000  # of record.channels, after generators
TOUCHING_PAIRS = 1_000_000  # pairs of shapes that are near each other in one step
STEPS = 10_000_000
VAR_DEPTH = 50  # vars that refer to vars that are further down in the file
EXPRESSION_LENGTH = 2_000  # characters
EXPRESSION_DEPTH = 30  # parentheses, signs and calls inside each other
EXPRESSION_OPERATORS = 300  # in one expression
EXPRESSION_SYMBOLS = 400_000  # numbers, names and operators of all different expressions
EXPRESSION_WORK = 5_000_000  # operations of all expressions of a scene together
PROBLEMS = 100  # errors that are reported
HOPELESS = 1_000  # errors of keys and values, beyond which what they make is not looked at
NAME_LENGTH = 200
FRAME_SIDE = (16, 8192)  # pixels
FRAME_PIXELS = 8192 * 4320
SUPERSAMPLE = 4
FPS = 240
LEAST_FPS = 0.001  # a picture in 1000 s
LAYERS = 32
ANNOTATIONS = 200
PLOT_LINES = 8  # of one plot
SPEED = (0.001, 1000.0)  # of a picture against its run
KEYS = 10_000  # of a camera, and of other things that change with time
GRAPH_SCALE = (0.5, 4.0)  # of the energy graph
