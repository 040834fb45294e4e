pub fn upwind(u: &[f64]) -> Vec<f64> {
    let mut flow = vec![0.0; u.len()];
    for i in 1..u.len() - 1 {
        flow[i] = if u[i] > 0.0 { u[i] - u[i - 1] } else { u[i + 1] - u[i] };
    }
    flow
}

pub fn chain(x: &[f64]) -> f64 {
    x.windows(2).map(|w| w[1] * w[0]).sum()
}
