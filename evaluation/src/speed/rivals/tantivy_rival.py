"""Builds a tantivy index from "kb<TAB>tokens" lines and times queries in one knowledge base.

    python tantivy_rival.py build INDEX-FOLDER < lines
    python tantivy_rival.py search INDEX-FOLDER KB < queries     (one a line, tokens divided by spaces)

Search prints one JSON line: {"milliseconds": [...], "hits": [...]}; each query runs once before it is timed.
"""
import json
import os
import shutil
import sys
import time

import tantivy

LIMIT = 20


def schema():
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("kb", stored=False, tokenizer_name="raw", index_option="basic")
    builder.add_text_field("body", stored=False, tokenizer_name="pieces")
    builder.add_integer_field("id", stored=True, indexed=False)
    return builder.build()


def opened(folder, make):
    if make:
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
    index = tantivy.Index(schema(), path=folder)
    index.register_tokenizer("pieces", tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace()).build())
    return index


def build(folder):
    index = opened(folder + ".building", True)
    writer = index.writer(heap_size=200_000_000, num_threads=1)
    for number, line in enumerate(sys.stdin):
        kb, body = line.rstrip("\n").split("\t")
        writer.add_document(tantivy.Document(kb=kb, body=body, id=number))
    writer.commit()
    writer.wait_merging_threads()
    shutil.rmtree(folder, ignore_errors=True)
    os.rename(folder + ".building", folder)


def search(folder, kb):
    index = opened(folder, False)
    index.reload()
    searcher = index.searcher()
    layout = index.schema
    inside = (tantivy.Occur.Must, tantivy.Query.term_query(layout, "kb", kb, "basic"))
    milliseconds, hits = [], []
    for line in sys.stdin:
        words = [(tantivy.Occur.Should, tantivy.Query.term_query(layout, "body", t)) for t in line.split()]
        query = tantivy.Query.boolean_query([inside, (tantivy.Occur.Must, tantivy.Query.boolean_query(words))])
        searcher.search(query, LIMIT)
        started = time.perf_counter()
        found = searcher.search(query, LIMIT).hits
        ids = [searcher.doc(address)["id"][0] for _, address in found]
        milliseconds.append((time.perf_counter() - started) * 1000)
        hits.append(len(ids))
    print(json.dumps({"milliseconds": milliseconds, "hits": hits}))


if sys.argv[1] == "build":
    build(sys.argv[2])
else:
    search(sys.argv[2], sys.argv[3])
