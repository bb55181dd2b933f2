;; The scan of int8 rows. Both kernels work on one memory that all reader threads share.
;; Built to scan.wasm by build-scan.ts; a test holds the two equal.
(module
  (import "scan" "memory" (memory 1 65536 shared))

  ;; Scans up to 64 rows, and writes (row, approximate score) of each row whose upper bound reaches the threshold to $out,
  ;; 8 bytes each; returns how many.
  ;;
  ;; A row first meets the query as 7-bit numbers, which is nearly as quick as reading it (one instruction for 16 products
  ;; and their sums where the processor has it):
  ;;   score7 = (dot(row, query7) - 64 * sum(row)) * scale(row) * $scale7        (query7 holds the values plus 64)
  ;; and only if score7 + residual(row) * $factor7 + $slack7 reaches the threshold, the query as 16-bit numbers:
  ;;   score = dot(row, query16) * scale(row) * $scale16
  ;; which is written if score + residual(row) * $factor16 + $slack16 reaches it too.
  ;;
  ;; $rows: i8 * $width a row; $width: a multiple of 64
  ;; $columns: f32 scale * 64, f32 residual * 64, i32 sum * 64
  ;; $query7: u8 * $width, each 1..127, so that a pair of products fits 16 bits and the relaxed instruction is exact
  ;; $query16: i16 * $width
  (func (export "scan")
    (param $query7 i32) (param $query16 i32) (param $rows i32) (param $count i32) (param $width i32)
    (param $columns i32) (param $out i32)
    (param $scale7 f32) (param $factor7 f32) (param $slack7 f32)
    (param $scale16 f32) (param $factor16 f32) (param $slack16 f32) (param $threshold f32)
    (result i32)
    (local $row i32) (local $start i32) (local $q i32) (local $end i32) (local $next i32) (local $score f32)
    (local $x v128) (local $a v128) (local $b v128) (local $c v128) (local $d v128)
    (local.set $next (local.get $out))
    (block $done
      (loop $each
        (br_if $done (i32.ge_u (local.get $row) (local.get $count)))
        (local.set $start (local.get $rows))
        (local.set $a (v128.const i32x4 0 0 0 0))
        (local.set $b (v128.const i32x4 0 0 0 0))
        (local.set $c (v128.const i32x4 0 0 0 0))
        (local.set $d (v128.const i32x4 0 0 0 0))
        (local.set $q (local.get $query7))
        (local.set $end (i32.add (local.get $query7) (local.get $width)))
        (loop $quick
          (local.set $a (i32x4.relaxed_dot_i8x16_i7x16_add_s
            (v128.load (local.get $rows)) (v128.load (local.get $q)) (local.get $a)))
          (local.set $b (i32x4.relaxed_dot_i8x16_i7x16_add_s
            (v128.load offset=16 (local.get $rows)) (v128.load offset=16 (local.get $q)) (local.get $b)))
          (local.set $c (i32x4.relaxed_dot_i8x16_i7x16_add_s
            (v128.load offset=32 (local.get $rows)) (v128.load offset=32 (local.get $q)) (local.get $c)))
          (local.set $d (i32x4.relaxed_dot_i8x16_i7x16_add_s
            (v128.load offset=48 (local.get $rows)) (v128.load offset=48 (local.get $q)) (local.get $d)))
          (local.set $rows (i32.add (local.get $rows) (i32.const 64)))
          (local.set $q (i32.add (local.get $q) (i32.const 64)))
          (br_if $quick (i32.lt_u (local.get $q) (local.get $end))))
        (local.set $a (i32x4.add
          (i32x4.add (local.get $a) (local.get $b))
          (i32x4.add (local.get $c) (local.get $d))))
        (block $skip
          (br_if $skip (f32.lt
            (f32.add
              (f32.mul
                (f32.mul
                  (f32.convert_i32_s (i32.sub
                    (i32.add
                      (i32.add (i32x4.extract_lane 0 (local.get $a)) (i32x4.extract_lane 1 (local.get $a)))
                      (i32.add (i32x4.extract_lane 2 (local.get $a)) (i32x4.extract_lane 3 (local.get $a))))
                    (i32.shl (i32.load offset=512 (local.get $columns)) (i32.const 6))))
                  (f32.load (local.get $columns)))
                (local.get $scale7))
              (f32.add
                (f32.mul (f32.load offset=256 (local.get $columns)) (local.get $factor7))
                (local.get $slack7)))
            (local.get $threshold)))
          (local.set $a (v128.const i32x4 0 0 0 0))
          (local.set $b (v128.const i32x4 0 0 0 0))
          (local.set $q (local.get $query16))
          (loop $fine
            (local.set $x (v128.load (local.get $start)))
            (local.set $a (i32x4.add (local.get $a)
              (i32x4.dot_i16x8_s (i16x8.extend_low_i8x16_s (local.get $x)) (v128.load (local.get $q)))))
            (local.set $b (i32x4.add (local.get $b)
              (i32x4.dot_i16x8_s (i16x8.extend_high_i8x16_s (local.get $x)) (v128.load offset=16 (local.get $q)))))
            (local.set $start (i32.add (local.get $start) (i32.const 16)))
            (local.set $q (i32.add (local.get $q) (i32.const 32)))
            (br_if $fine (i32.lt_u (local.get $start) (local.get $rows))))
          (local.set $a (i32x4.add (local.get $a) (local.get $b)))
          (local.set $score (f32.mul
            (f32.mul
              (f32.convert_i32_s (i32.add
                (i32.add (i32x4.extract_lane 0 (local.get $a)) (i32x4.extract_lane 1 (local.get $a)))
                (i32.add (i32x4.extract_lane 2 (local.get $a)) (i32x4.extract_lane 3 (local.get $a)))))
              (f32.load (local.get $columns)))
            (local.get $scale16)))
          (br_if $skip (f32.lt
            (f32.add
              (local.get $score)
              (f32.add
                (f32.mul (f32.load offset=256 (local.get $columns)) (local.get $factor16))
                (local.get $slack16)))
            (local.get $threshold)))
          (i32.store (local.get $next) (local.get $row))
          (f32.store offset=4 (local.get $next) (local.get $score))
          (local.set $next (i32.add (local.get $next) (i32.const 8))))
        (local.set $columns (i32.add (local.get $columns) (i32.const 4)))
        (local.set $row (i32.add (local.get $row) (i32.const 1)))
        (br $each)))
    (i32.shr_u (i32.sub (local.get $next) (local.get $out)) (i32.const 3)))

  ;; Reads $bytes (a multiple of 64) from $from once, and does next to nothing with them: what a scan cannot beat.
  (func (export "read") (param $from i32) (param $bytes i32) (result i32)
    (local $end i32) (local $a v128) (local $b v128) (local $c v128) (local $d v128)
    (local.set $end (i32.add (local.get $from) (local.get $bytes)))
    (block $done
      (loop $each
        (br_if $done (i32.ge_u (local.get $from) (local.get $end)))
        (local.set $a (i32x4.add (local.get $a) (v128.load (local.get $from))))
        (local.set $b (i32x4.add (local.get $b) (v128.load offset=16 (local.get $from))))
        (local.set $c (i32x4.add (local.get $c) (v128.load offset=32 (local.get $from))))
        (local.set $d (i32x4.add (local.get $d) (v128.load offset=48 (local.get $from))))
        (local.set $from (i32.add (local.get $from) (i32.const 64)))
        (br $each)))
    (i32x4.extract_lane 0 (i32x4.add
      (i32x4.add (local.get $a) (local.get $b))
      (i32x4.add (local.get $c) (local.get $d))))))
