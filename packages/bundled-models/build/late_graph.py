"""Two small graphs of late interaction: the geometry of a text's token vectors, and the products of query and chunks."""
import numpy as np
import onnx
from onnx import TensorProto, helper

from e5_graph import Graph

WIDTH = 384


def normalised(g, x):
    return g.op('LpNormalization', [x], axis=-1, p=2)


def write_token_geometry(rotation, path):
    """hidden [n, 384], mean [384] -> vectors [n, 384] (centred, unit, rotated) and gram [n, n] (their dot products)."""
    g = Graph()
    centred = normalised(g, g.op('Sub', [normalised(g, 'hidden'), 'mean']))
    matrix = g.op('Cast', [g.constant('rotation', rotation.astype(np.float16))], to=TensorProto.FLOAT)
    g.output('vectors', 'MatMul', [centred, matrix])
    g.output('gram', 'MatMul', [centred, g.op('Transpose', [centred], perm=[1, 0])])
    value = helper.make_tensor_value_info
    graph = helper.make_graph(
        g.nodes, 'token-geometry',
        [value('hidden', TensorProto.FLOAT, ['n', WIDTH]), value('mean', TensorProto.FLOAT, [WIDTH])],
        [value('vectors', TensorProto.FLOAT, ['n', WIDTH]), value('gram', TensorProto.FLOAT, ['n', 'n'])], g.constants)
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid('', 20)], ir_version=9), path)


def write_late_products(path):
    """rows [m, 384] x query [384, q] -> products [m, q]; a graph only because ONNX Runtime multiplies with SIMD."""
    value = helper.make_tensor_value_info
    node = helper.make_node('MatMul', ['rows', 'query'], ['products'])
    graph = helper.make_graph(
        [node], 'late-products',
        [value('rows', TensorProto.FLOAT, ['m', WIDTH]), value('query', TensorProto.FLOAT, [WIDTH, 'q'])],
        [value('products', TensorProto.FLOAT, ['m', 'q'])])
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid('', 20)], ir_version=9), path)
