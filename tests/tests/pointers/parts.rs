//! Values that are written part by part, or read as a part of them.

use std::mem::MaybeUninit;

pub fn an_array_written_by_elements(x: f64) -> f64 {
    let mut numbers: MaybeUninit<[f64; 3]> = MaybeUninit::uninit();
    let mut vectors: MaybeUninit<[Vec<f64>; 2]> = MaybeUninit::uninit();
    let mut at = numbers.as_mut_ptr() as *mut f64;
    let first = vectors.as_mut_ptr() as *mut Vec<f64>;
    unsafe {
        for n in 0..3 {
            at.write(x * n as f64);
            at = at.add(1);
        }
        first.add(1).write(vec![x, 1.0]);
        first.write(vec![2.0]);
        let (numbers, vectors) = (numbers.assume_init(), vectors.assume_init());
        numbers.iter().sum::<f64>() + vectors[1][0] * vectors[0][0] + vectors[1][1]
    }
}

pub fn bytes_written_at_once(x: f64) -> f64 {
    let (mut words, mut numbers) = ([7_u32; 3], [x, x, x]);
    unsafe {
        words.as_mut_ptr().add(1).write_bytes(2, 2);
        std::ptr::write_bytes(numbers.as_mut_ptr(), 0, 2);
    }
    words.iter().map(|word| (*word % 1000) as f64).sum::<f64>() + numbers[1] * 2.0 + numbers[2]
}

pub fn pointers_that_are_shown_if_they_are_wrong(x: f64) -> f64 {
    #[derive(Clone, Copy, Debug)]
    struct Range {
        from: *const f64,
        to: *const f64,
    }
    let numbers = [x, 2.0];
    let range = Range { from: numbers.as_ptr(), to: &numbers[1] };
    assert!(range.from < range.to, "{range:?}");
    unsafe { *range.from * *range.to }
}

pub fn the_last_byte_of_a_buffer(x: f64) -> f64 {
    struct Block<T>(T);
    struct Buffer {
        block: MaybeUninit<Block<[u8; 8]>>,
    }
    impl Buffer {
        fn last(&self) -> u8 {
            unsafe { self.block.as_ptr().cast::<u8>().add(7).read() }
        }
        fn set_last(&mut self, last: u8) {
            unsafe { self.block.as_mut_ptr().cast::<u8>().add(7).write(last) }
        }
        fn push(&mut self, byte: u8) {
            let at = self.last();
            unsafe { self.block.as_mut_ptr().cast::<u8>().add(at as usize).write(byte) };
            self.set_last(at + 1);
        }
        fn written(&self) -> &[u8] {
            unsafe { std::slice::from_raw_parts(self.block.as_ptr().cast(), self.last() as usize) }
        }
    }
    let mut buffer = Buffer { block: MaybeUninit::uninit() };
    buffer.set_last(0);
    buffer.push(5);
    buffer.push(7);
    buffer.written().iter().map(|byte| *byte as f64 * x).sum::<f64>() + buffer.last() as f64
}

pub fn a_field_of_a_union_that_holds_another(x: f64) -> f64 {
    #[derive(Clone, Copy)]
    struct Free {
        next: u32,
        last: u32,
    }
    union Slot {
        value: f64,
        free: Free,
    }
    struct Slots(Vec<Slot>);
    impl Slots {
        fn free(&mut self, at: usize) -> &mut Free {
            unsafe { &mut self.0[at].free }
        }
    }
    let mut slots = Slots(vec![Slot { value: x }, Slot { value: 2.0 }]);
    let value = unsafe { slots.0[1].value };
    slots.free(1).last = 3;
    slots.free(1).next = 4;
    let first = unsafe { slots.0[0].value };
    value * first + slots.free(1).last as f64 * x + slots.free(1).next as f64
}

pub fn some_as_what_it_holds(x: f64) -> f64 {
    #[derive(Clone)]
    struct Parts {
        left: Option<[f64; 2]>,
        right: [f64; 2],
    }
    fn parts(x: f64) -> Option<Parts> {
        (x < 1e6).then(|| Parts { left: Some([x, 2.0]), right: [3.0, x] })
    }
    let found = parts(x);
    let same: &Parts = unsafe { std::mem::transmute(&found) };
    same.clone().left.map_or(0.0, |[a, b]| a * b) + same.right[1]
}

pub fn how_far_pointers_are_apart(x: f64) -> f64 {
    let (numbers, words) = ([x, 1.0, 2.0, 3.0], vec![1_u32, 2, 3]);
    let (from, to) = (&numbers[1] as *const f64, &numbers[3] as *const f64);
    let bytes = to as usize - from as usize;
    let end = unsafe { words.as_ptr().add(3) };
    let words = (end as usize - words.as_ptr() as usize) / size_of::<u32>();
    numbers[0] * bytes as f64 + words as f64
}

pub fn how_far_a_part_of_a_text_is_from_its_start(x: f64) -> f64 {
    fn offset(of: &str, from: &str) -> usize {
        let (from, of) = (from.as_ptr(), of.as_ptr());
        of as usize - from as usize
    }
    let text = String::from("näch: 12.5;");
    let (name, rest) = text.split_at(text.find(':').unwrap());
    let number = &rest[2..rest.len() - 1];
    let within = &number[number.len()..];
    let mut positions = offset(rest, &text) * 100 + offset(number, rest) * 10 + offset(within, name);
    let mut chars = number.chars();
    (chars.next(), chars.next_back());
    positions += offset(chars.as_str(), number) * 7 + chars.as_str().len();
    let before = text.as_bytes();
    let after = &before[3..];
    positions += after.as_ptr() as usize - text.as_ptr() as usize;
    number.parse::<f64>().unwrap() * x + positions as f64
}

/// The aliasing rules that Miri proposes forbid the read, but rustc compiles it as crates of the registry expect.
pub fn a_slice_of_a_vector_that_a_closure_changes(x: f64) -> f64 {
    let mut chosen = vec![x; 2];
    let shown = chosen.as_slice() as *const [f64];
    let mut sum = 0.0;
    let mut choose = |i: usize, y: f64| chosen[i] = y;
    let mut show = || {
        let shown = unsafe { &*shown };
        sum += shown[0] * shown[1];
    };
    for y in [2.0, x, 5.0] {
        choose(1, y);
        show();
        choose(0, y + 1.0);
        show();
    }
    sum
}

fn apart(a: &[f64], b: &[f64]) -> f64 {
    unsafe { b.as_ptr().offset_from(a.as_ptr()) as f64 }
}

pub fn how_far_an_empty_rest_is_from_the_start(x: f64) -> f64 {
    let all = vec![x; 5];
    let mut rest = &all[..];
    let mut sum = 0.0;
    while let [first, tail @ ..] = rest {
        sum += first * first * apart(&all, tail);
        rest = tail;
    }
    let (before, none) = all.split_at(5);
    sum + x * (apart(&all, rest) + 10.0 * apart(before, none) + 100.0 * apart(none, &all[..0]))
}

pub fn bytes_from_one_multiple_of_an_alignment_to_another(x: f64) -> f64 {
    let words = [1u64, 2, 3, 4];
    let bytes = words.as_ptr() as *const u8;
    let fifth = unsafe { (words.as_ptr().add(1)) } as usize & 7;
    let fields = [(1u16, 2u16), (3, 4), (5, 6)];
    let second = unsafe { fields.as_ptr().add(1) } as usize % 4;
    x * (8 - (bytes as usize & 7) + fifth + second) as f64
}
