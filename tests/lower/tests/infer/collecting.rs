//! `collect`, `sum` and `product` take their type from what is expected.

fn into_vec(xs: &[f64]) -> Vec<f64> {
    xs.iter().map(|x| x * 2.0).collect()
}

fn by_annotation(xs: &[f64]) -> usize {
    let doubled: Vec<_> = xs.iter().map(|x| x * 2.0).collect(); // doubled: Vec<f64>
    let refs: Vec<_> = xs.iter().collect(); // refs: Vec<&f64>
    let owned = refs.iter().map(|x| **x).collect::<Vec<f64>>(); // owned: Vec<f64>
    doubled.len() + owned.len()
}

fn by_later_use(xs: &[f64]) -> f64 {
    let collected = xs.iter().map(|&x| x).collect(); // collected: Vec<f64>
    total(collected)
}

fn total(xs: Vec<f64>) -> f64 {
    xs.into_iter().sum()
}

fn results(xs: &[f64]) -> Result<Vec<f64>, String> {
    let roots: Result<Vec<_>, String> = xs // roots: Result<Vec<f64>, String>
        .iter()
        .map(|&x| if x < 0.0 { Err(String::from("negative")) } else { Ok(x.sqrt()) })
        .collect();
    roots
}

fn options(xs: &[i64]) -> Option<Vec<i64>> {
    let halves = xs.iter().map(|x| x.checked_div(2)).collect::<Option<Vec<_>>>()?; // halves: Vec<i64>
    Some(halves)
}

fn sums(xs: &[f64], ns: &[i32]) -> f64 {
    let a = xs.iter().sum::<f64>(); // a: f64
    let b: f64 = xs.iter().map(|x| x * x).sum(); // b: f64
    let c = ns.iter().map(|&n| n as i64).sum::<i64>(); // c: i64
    let d: i32 = ns.iter().product(); // d: i32
    let pairs: Vec<(usize, f64)> = xs.iter().copied().enumerate().collect(); // pairs: Vec<(usize, f64)>
    let (i, x) = pairs[0]; // i: usize | x: f64
    a + b + c as f64 + d as f64 + i as f64 + x
}

fn nested(xs: &[f64]) -> Vec<Vec<f64>> {
    let rows = (0..3).map(|i| xs.iter().map(|x| x * i as f64).collect()).collect::<Vec<Vec<f64>>>(); // rows: Vec<Vec<f64>>
    let dot = xs.iter().zip(rows[0].iter()).map(|(a, b)| a * b).sum::<f64>(); // dot: f64
    let top = xs.iter().cloned().fold(f64::NEG_INFINITY, f64::max); // top: f64
    vec![vec![dot, top]]
}

fn grown() -> f64 {
    let mut v = Vec::new(); // v: Vec<f64>
    v.push(1.0);
    let mut w = vec![]; // w: Vec<usize>
    w.push(v.len());
    let n = w[0]; // n: usize
    v[n - 1]
}
