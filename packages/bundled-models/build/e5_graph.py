"""multilingual-e5-small as an ONNX graph over a pruned vocabulary, then int8 with dynamic activation ranges."""
import os
import tempfile

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

MASKED = -10000.0   # added to the attention score of a masked position


def write_e5(container, keep, path):
    from onnxruntime.quantization import QuantType, quantize_dynamic
    with tempfile.TemporaryDirectory() as folder:
        full = os.path.join(folder, 'e5-fp32.onnx')
        onnx.save(build_model(container, keep), full)
        # reduce_range: 7-bit weights, so that processors without VNNI do not saturate 16-bit sums.
        quantize_dynamic(full, path, weight_type=QuantType.QInt8, per_channel=True, reduce_range=True,
                         op_types_to_quantize=['MatMul', 'Gather'])


class Graph:
    """Collects nodes and constants; every call returns the name of its one output."""
    def __init__(self):
        self.nodes, self.constants, self.known, self.count = [], [], set(), 0

    def constant(self, name, value):
        if name not in self.known:
            self.known.add(name)
            self.constants.append(numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name

    def op(self, kind, inputs, **attributes):
        self.count += 1
        output = f'{kind}_{self.count}'
        self.nodes.append(helper.make_node(kind, inputs, [output], name=output, **attributes))
        return output

    def output(self, name, kind, inputs, **attributes):
        self.nodes.append(helper.make_node(kind, inputs, [name], **attributes))


def int64(*values):
    return np.array(values, np.int64)


def build_model(container, keep):
    c, g = container, Graph()
    hidden, head = c.hidden, c.hidden // c.heads
    # The order of constants and nodes is that of the committed file, so that a rebuild can be compared byte by byte.
    g.constant('word', c.matrix('emb.word', hidden)[keep])
    g.constant('pos', c.floats('emb.pos').reshape(-1, hidden))
    g.constant('type', c.floats('emb.type').reshape(-1, hidden)[0])
    g.constant('axm1', int64(-1)), g.constant('ax1', int64(1)), g.constant('zero', int64(0)), g.constant('one1', int64(1))
    shape = g.op('Shape', ['input_ids'])
    length = g.op('Slice', [shape, g.constant('s1', int64(1)), g.constant('s2', int64(2))])
    positions = g.op('Slice', ['pos', 'zero', length, 'zero'])
    words = g.op('Gather', ['word', 'input_ids'])
    x = g.op('Add', [g.op('Add', [words, positions]), 'type'])

    def layer_norm(x, prefix, weight, bias):
        return g.op('LayerNormalization', [x, g.constant(prefix + 'w', weight), g.constant(prefix + 'b', bias)],
                    axis=-1, epsilon=float(c.epsilon))

    x = layer_norm(x, 'eln', c.floats('emb.ln.w'), c.floats('emb.ln.b'))
    mask = g.op('Cast', ['attention_mask'], to=TensorProto.FLOAT)
    blocked = g.op('Mul', [g.op('Sub', [g.constant('c1', np.array(1, np.float32)), mask]),
                           g.constant('neg', np.array(MASKED, np.float32))])
    bias = g.op('Unsqueeze', [blocked, g.constant('ax12', int64(1, 2))])
    split, joined = g.constant('rs', int64(0, 0, c.heads, head)), g.constant('rs2', int64(0, 0, hidden))
    scale = g.constant('sc', np.array(1 / np.sqrt(head), np.float32))
    for layer in range(c.layers):
        x = encoder_layer(c, g, x, layer, (split, joined, scale, bias), layer_norm)
    g.output('last_hidden_state', 'Identity', [x])
    weights = g.op('Unsqueeze', [mask, 'axm1'])
    total = g.op('ReduceSum', [g.op('Mul', [x, weights]), 'ax1'], keepdims=0)
    mean = g.op('Div', [total, g.op('ReduceSum', [mask, 'ax1'], keepdims=1)])
    g.output('sentence_embedding', 'LpNormalization', [mean], axis=-1, p=2)
    value = helper.make_tensor_value_info
    graph = helper.make_graph(
        g.nodes, 'e5',
        [value('input_ids', TensorProto.INT64, ['b', 's']), value('attention_mask', TensorProto.INT64, ['b', 's'])],
        [value('last_hidden_state', TensorProto.FLOAT, ['b', 's', hidden]),
         value('sentence_embedding', TensorProto.FLOAT, ['b', hidden])], g.constants)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid('', 20)], ir_version=9)


def encoder_layer(c, g, x, layer, attention, layer_norm):
    split, joined, scale, bias = attention

    def linear(x, name, width):
        weight = g.constant(f'l{layer}.{name}.w', c.matrix(f'l{layer}.{name}.w', width).T)
        product = g.op('MatMul', [x, weight])
        return g.op('Add', [product, g.constant(f'l{layer}.{name}.b', c.floats(f'l{layer}.{name}.b'))])

    def heads(name, order):
        return g.op('Transpose', [g.op('Reshape', [linear(x, name, c.hidden), split])], perm=order)

    query, key, value = heads('q', [0, 2, 1, 3]), heads('k', [0, 2, 3, 1]), heads('v', [0, 2, 1, 3])
    scores = g.op('Add', [g.op('Mul', [g.op('MatMul', [query, key]), scale]), bias])
    context = g.op('MatMul', [g.op('Softmax', [scores], axis=-1), value])
    context = g.op('Reshape', [g.op('Transpose', [context], perm=[0, 2, 1, 3]), joined])
    norm = [c.floats(f'l{layer}.{n}') for n in ('aln.w', 'aln.b', 'oln.w', 'oln.b')]
    x = layer_norm(g.op('Add', [x, linear(context, 'ao', c.hidden)]), f'l{layer}.aln', norm[0], norm[1])
    wide = g.op('Gelu', [linear(x, 'fi', c.hidden)])
    return layer_norm(g.op('Add', [x, linear(wide, 'fo', c.feed_forward)]), f'l{layer}.oln', norm[2], norm[3])
