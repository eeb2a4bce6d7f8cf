"""Two pictures of the viewer: the same, or where do they differ?

Letters and lines may be drawn a shade lighter or darker by another driver; a
letter, a frame or a colour that is another one may not.
"""

# A channel that differs by no more is a shade.
SHADE = 40
# Pixels of one tile that may differ by more: fewer than one letter has.
TILE, PIXELS_OF_TILE = 24, 5


def differences(one, two):
    """Tiles (x, y, pixels) in which the pictures are not the same."""
    if (one.width, one.height) != (two.width, two.height):
        return [(0, 0, max(one.width * one.height, two.width * two.height))]
    tiles = {}
    row = 3 * one.width
    for y in range(one.height):
        first = one.data[y * row:(y + 1) * row]
        second = two.data[y * row:(y + 1) * row]
        if first == second:
            continue
        for x in range(one.width):
            a, b = first[3 * x:3 * x + 3], second[3 * x:3 * x + 3]
            if a != b and any(abs(p - q) > SHADE for p, q in zip(a, b)):
                key = (x // TILE, y // TILE)
                tiles[key] = tiles.get(key, 0) + 1
    return [(x * TILE, y * TILE, count) for (x, y), count in
            sorted(tiles.items()) if count > PIXELS_OF_TILE]
