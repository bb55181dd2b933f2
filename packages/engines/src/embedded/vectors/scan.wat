;; The scan of int8 rows. Both kernels work on one memory that all reader threads share.
;; Built to scan.wasm by build-scan.ts; a test holds the two equal.
(module
  (import "scan" "memory" (memory 1 65536 shared))

  ;; Writes (row, approximate score) of each row whose upper bound reaches the threshold, 8 bytes each, to $out,
  ;; and returns how many.
  ;;   score of a row = dot(row, query) * scale(row) * $queryScale
  ;;   upper bound    = score + residual(row) * $residualFactor + $slack
  ;; $query: i16 * $width; $rows: i8 * $width a row; $width: a multiple of 32
  ;; $scales: f32 a row, and f32 residuals from $scales + $residuals on
  ;; $out needs room for $count entries. An entry is written for every row and kept by moving on, so nothing branches.
  (func (export "scan")
    (param $query i32) (param $rows i32) (param $count i32) (param $width i32)
    (param $scales i32) (param $residuals i32) (param $out i32)
    (param $queryScale f32) (param $residualFactor f32) (param $slack f32) (param $threshold f32)
    (result i32)
    (local $row i32) (local $q i32) (local $end i32) (local $next i32) (local $score f32)
    (local $x v128) (local $y v128)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128)
    (local.set $next (local.get $out))
    (local.set $end (i32.add (local.get $query) (i32.shl (local.get $width) (i32.const 1))))
    (block $done
      (loop $each
        (br_if $done (i32.ge_u (local.get $row) (local.get $count)))
        (local.set $a (v128.const i32x4 0 0 0 0))
        (local.set $b (v128.const i32x4 0 0 0 0))
        (local.set $c (v128.const i32x4 0 0 0 0))
        (local.set $d (v128.const i32x4 0 0 0 0))
        (local.set $q (local.get $query))
        (loop $inner
          (local.set $x (v128.load (local.get $rows)))
          (local.set $y (v128.load offset=16 (local.get $rows)))
          (local.set $a (i32x4.add (local.get $a)
            (i32x4.dot_i16x8_s (i16x8.extend_low_i8x16_s (local.get $x)) (v128.load (local.get $q)))))
          (local.set $b (i32x4.add (local.get $b)
            (i32x4.dot_i16x8_s (i16x8.extend_high_i8x16_s (local.get $x)) (v128.load offset=16 (local.get $q)))))
          (local.set $c (i32x4.add (local.get $c)
            (i32x4.dot_i16x8_s (i16x8.extend_low_i8x16_s (local.get $y)) (v128.load offset=32 (local.get $q)))))
          (local.set $d (i32x4.add (local.get $d)
            (i32x4.dot_i16x8_s (i16x8.extend_high_i8x16_s (local.get $y)) (v128.load offset=48 (local.get $q)))))
          (local.set $rows (i32.add (local.get $rows) (i32.const 32)))
          (local.set $q (i32.add (local.get $q) (i32.const 64)))
          (br_if $inner (i32.lt_u (local.get $q) (local.get $end))))
        (local.set $a (i32x4.add
          (i32x4.add (local.get $a) (local.get $b))
          (i32x4.add (local.get $c) (local.get $d))))
        (local.set $score (f32.mul
          (f32.mul
            (f32.convert_i32_s (i32.add
              (i32.add (i32x4.extract_lane 0 (local.get $a)) (i32x4.extract_lane 1 (local.get $a)))
              (i32.add (i32x4.extract_lane 2 (local.get $a)) (i32x4.extract_lane 3 (local.get $a)))))
            (f32.load (local.get $scales)))
          (local.get $queryScale)))
        (i32.store (local.get $next) (local.get $row))
        (f32.store offset=4 (local.get $next) (local.get $score))
        (local.set $next (i32.add (local.get $next) (i32.shl
          (f32.ge
            (f32.add
              (f32.add (local.get $score)
                (f32.mul (f32.load (i32.add (local.get $scales) (local.get $residuals))) (local.get $residualFactor)))
              (local.get $slack))
            (local.get $threshold))
          (i32.const 3))))
        (local.set $scales (i32.add (local.get $scales) (i32.const 4)))
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
