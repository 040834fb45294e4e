// test lower f
// run: f([1.0, 2.0], 1) == [[1.0, 7.0], 3.0]
pub struct Data {
    values: Vec<f64>,
    total: f64,
}

pub fn f(values: Vec<f64>, i: usize) -> (Vec<f64>, f64) {
    let mut data = Data { values, total: 3.0 };
    data.values[i] = 7.0;
    (data.values, data.total)
}
// ---
// fn @f(%values: [f64], %i: usize) -> ([f64], f64) {
//   %2: Data = struct %values, 3.0
//   %3: ([f64], Data) = take.field %2, 0
//   %4: [f64] = field %3, 0
//   %5: Data = field %3, 1
//   %6: [f64] = set %4, %i, 7.0
//   %7: Data = with_field %5, 0, %6
//   %8: [f64] = field %7, 0
//   %9: f64 = field %7, 1
//   %10: ([f64], f64) = tuple %8, %9
//   ret %10
// }
