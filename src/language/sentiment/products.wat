;; The products of `products.ts`. After a change, run `products.test.ts` with `-u`.
;;
;; Dot products of the rows of a, float32[n, size], with those of b, float32[m, size]: out, float32[n, m]. A product adds
;; eight sums in a fixed order and then the last components one by one, so it does not depend on the other rows.
(module
  (memory (export "memory") 64 64) ;; 4 MiB

  (func (export "products")
    (param $a i32) (param $n i32) (param $b i32) (param $m i32) (param $size i32) (param $out i32)
    (local $row i32) (local $blocks i32) (local $end i32) (local $x i32) (local $y i32) (local $j i32)
    (local $p v128) (local $q v128)
    (local $tail f32)
    (local.set $row (i32.shl (local.get $size) (i32.const 2)))
    (local.set $blocks (i32.shl (i32.and (local.get $size) (i32.const -8)) (i32.const 2)))
    (block $done
      (loop $rows
        (br_if $done (i32.eqz (local.get $n)))
        (local.set $y (local.get $b))
        (local.set $j (local.get $m))
        (block $columnsDone
          (loop $columns
            (br_if $columnsDone (i32.eqz (local.get $j)))
            (local.set $p (v128.const f32x4 0 0 0 0))
            (local.set $q (v128.const f32x4 0 0 0 0))
            (local.set $x (local.get $a))
            (local.set $end (i32.add (local.get $a) (local.get $blocks)))
            (block $eightsDone
              (loop $eights
                (br_if $eightsDone (i32.ge_u (local.get $x) (local.get $end)))
                (local.set $p (f32x4.add (local.get $p) (f32x4.mul (v128.load (local.get $x)) (v128.load (local.get $y)))))
                (local.set $q (f32x4.add (local.get $q)
                  (f32x4.mul (v128.load offset=16 (local.get $x)) (v128.load offset=16 (local.get $y)))))
                (local.set $x (i32.add (local.get $x) (i32.const 32)))
                (local.set $y (i32.add (local.get $y) (i32.const 32)))
                (br $eights)))
            (local.set $p (f32x4.add (local.get $p) (local.get $q)))
            (local.set $tail (f32.add
              (f32.add (f32x4.extract_lane 0 (local.get $p)) (f32x4.extract_lane 2 (local.get $p)))
              (f32.add (f32x4.extract_lane 1 (local.get $p)) (f32x4.extract_lane 3 (local.get $p)))))
            (local.set $end (i32.add (local.get $a) (local.get $row)))
            (block $onesDone
              (loop $ones
                (br_if $onesDone (i32.ge_u (local.get $x) (local.get $end)))
                (local.set $tail (f32.add (local.get $tail)
                  (f32.mul (f32.load (local.get $x)) (f32.load (local.get $y)))))
                (local.set $x (i32.add (local.get $x) (i32.const 4)))
                (local.set $y (i32.add (local.get $y) (i32.const 4)))
                (br $ones)))
            (f32.store (local.get $out) (local.get $tail))
            (local.set $out (i32.add (local.get $out) (i32.const 4)))
            (local.set $j (i32.sub (local.get $j) (i32.const 1)))
            (br $columns)))
        (local.set $a (i32.add (local.get $a) (local.get $row)))
        (local.set $n (i32.sub (local.get $n) (i32.const 1)))
        (br $rows)))))
