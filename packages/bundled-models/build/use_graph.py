"""Universal Sentence Encoder multilingual v3 (DAN + n-gram CNN): a 4-bit embedding table and an ONNX graph for the rest.

The table is looked up by the caller (src/embedder/use-table.ts), so the graph is fed with float token embeddings.
"""
import struct

import numpy as np
import onnx
from onnx import TensorProto, helper

from e5_graph import Graph, int64

ORDERS = ((2, 0), (3, 1), (5, 2))   # (n-gram width, tokens of it to the left) of the three CNN branches
WIDTH, BRANCH, GROUP = 512, 256, 64 # embedding, branch, and the dimensions that share a 4-bit scale


def write_table(backend, ids, path):
    """Header (rows u32, width u32), nibbles (low first), then fp16 scale and fp16 minimum of each group of 64."""
    chunk = ids % len(backend.scale)
    rows = backend.table[ids].astype(np.float32) * backend.scale[chunk, None] + backend.lo[chunk, None]
    groups = rows.reshape(len(ids), WIDTH // GROUP, GROUP)
    low = groups.min(2)
    scale = (groups.max(2) - low) / 15 + 1e-12
    codes = np.round((groups - low[..., None]) / scale[..., None]).astype(np.uint8).reshape(len(ids), WIDTH // 2, 2)
    with open(path, 'wb') as file:
        file.write(struct.pack('<II', len(ids), WIDTH))
        file.write((codes[..., 0] | (codes[..., 1] << 4)).tobytes())
        file.write(scale.astype('<f2').tobytes())
        file.write(low.astype('<f2').tobytes())


def write_encoder(backend, path):
    """Int8 matrices with a float scale per output column; Cast and Mul are folded into float32 when loaded."""
    g = Graph()

    def weight(name, values):
        values = np.asarray(values, np.float32)
        scale = (np.abs(values).max(0) / 127 + 1e-12).astype(np.float32)
        codes = g.constant(name + '_q', np.round(values / scale).astype(np.int8))
        return g.op('Mul', [g.op('Cast', [codes], to=TensorProto.FLOAT), g.constant(name + '_s', scale)])

    def vector(name, values, width):
        return g.constant(name, np.broadcast_to(np.asarray(values, np.float32), (width,)))

    def layer_norm(x, name, gamma, beta):
        width = len(gamma)
        return g.op('LayerNormalization', [x, vector(name + '_g', gamma, width), vector(name + '_b', beta, width)],
                    axis=-1, epsilon=backend.eps)

    embeddings = 'token_embeddings'                                    # [tokens, 512]
    x = g.op('Add', [g.op('MatMul', [embeddings, weight('proj', backend.proj_W)]),
                     vector('proj_b', backend.proj_b, 3 * BRANCH)])
    x = layer_norm(x, 'proj_ln', backend.ln_g_all, backend.ln_b_all)
    features = [embeddings]
    for i, (order, left) in enumerate(ORDERS):
        part = g.op('Slice', [x, g.constant(f'from{i}', int64(i * BRANCH)), g.constant(f'to{i}', int64((i + 1) * BRANCH)),
                              g.constant('axis1', int64(1))])
        for step, (w, b) in enumerate(((backend.w1[i], backend.b1[i]), (backend.w2[i], backend.b2[i]))):
            windows = n_gram_windows(g, part, order, left)
            name = f'cnn{order}_{step}'
            product = g.op('Add', [g.op('MatMul', [windows, weight(name, w)]), vector(name + '_b', b, BRANCH)])
            part = g.op('Add', [g.op('Relu', [product]), part])
        features.append(part)
    x = layer_norm(g.op('Concat', features, axis=1), 'features_ln', backend.ln_g, backend.ln_b)
    # Sum over tokens, project, divide by the root of their number: the projection is linear, so it goes after the sum.
    total = g.op('MatMul', [g.op('ReduceSum', [x, g.constant('axis0', int64(0))], keepdims=1), weight('cnn', backend.cnn_W)])
    count = g.op('Cast', [g.op('Slice', [g.op('Shape', [embeddings]), g.constant('zero', int64(0)),
                                         g.constant('one', int64(1))])], to=TensorProto.FLOAT)
    total = g.op('Add', [total, g.op('Mul', [count, vector('cnn_b', backend.cnn_b, WIDTH)])])
    pooled = g.op('Div', [total, g.op('Sqrt', [count])])
    y0 = g.op('Relu', [g.op('MatMul', [pooled, weight('d0', backend.d0)])])
    y1 = g.op('Relu', [g.op('Add', [g.op('MatMul', [pooled, weight('p1', backend.p1)]),
                                    g.op('MatMul', [y0, weight('d1', backend.d1)])])])
    y2 = g.op('Relu', [g.op('MatMul', [y1, weight('d2', backend.d2)])])
    y3 = g.op('Tanh', [g.op('Add', [g.op('MatMul', [y1, weight('p3', backend.p3)]),
                                    g.op('MatMul', [y2, weight('d3', backend.d3)])])])
    g.output('sentence_embedding', 'LpNormalization', [y3], axis=-1, p=2)
    value = helper.make_tensor_value_info
    graph = helper.make_graph(g.nodes, 'use', [value(embeddings, TensorProto.FLOAT, ['tokens', WIDTH])],
                              [value('sentence_embedding', TensorProto.FLOAT, [1, WIDTH])], g.constants)
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid('', 20)], ir_version=9), path)


def n_gram_windows(g, x, order, left):
    """[tokens, 256] -> [tokens, order * 256]: each row with its neighbours, zeros outside the text."""
    right = order - 1 - left
    padded = g.op('Pad', [x, g.constant(f'pad{order}', int64(left, 0, right, 0))])
    axis, zero = g.constant('axis0', int64(0)), g.constant('zero', int64(0))
    shifted = []
    length = g.op('Slice', [g.op('Shape', [x]), zero, g.constant('one', int64(1))])
    for k in range(order):
        start = g.constant(f'start{k}', int64(k))
        shifted.append(g.op('Slice', [padded, start, g.op('Add', [length, start]), axis]))
    return g.op('Concat', shifted, axis=1)
