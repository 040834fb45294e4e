//! The devices are what their kernels do.

/// Makes a type with a field `kernels` a device that runs them.
macro_rules! runs_kernels {
    ($device:ty: $($method:ident($($arg:ident: $ty:ty),*) -> $result:ty;)*) => {
        impl overdub_spmd::Device for $device {
            $(fn $method(&self, $($arg: $ty),*) -> Result<$result, overdub_spmd::DeviceError> {
                self.kernels.$method($($arg),*)
            })*
        }
    };
    ($device:ty) => {
        runs_kernels! {
            $device:
            values(calls: &overdub_spmd::DeviceCalls<'_>)
                -> overdub_spmd::Returned<overdub_context::value::Value<'static>>;
            values_and_gradients(calls: &overdub_spmd::DeviceCalls<'_>, wrt: &[bool])
                -> overdub_spmd::Returned<overdub_spmd::ValueAndGradient>;
            jvps(calls: &overdub_spmd::DeviceCalls<'_>, wrt: &[bool])
                -> Option<overdub_spmd::Returned<overdub_spmd::ValueAndTangent>>;
            vjps(calls: &overdub_spmd::DeviceCalls<'_>, wrt: &[bool])
                -> Option<overdub_spmd::Returned<overdub_spmd::ValueAndGradient>>;
            sums(calls: &overdub_spmd::DeviceCalls<'_>, leaf: usize) -> Option<overdub_spmd::Leaves<f64>>;
            sums_and_gradients(
                calls: &overdub_spmd::DeviceCalls<'_>, collected: &[overdub_spmd::Collected], leaf: usize
            ) -> Option<overdub_spmd::Leaves<Vec<overdub_context::value::Value<'static>>>>;
            store(list: &overdub_context::value::Array<'_>) -> overdub_spmd::DeviceList;
            stored_values(calls: &overdub_spmd::DeviceCalls<'_>) -> Option<overdub_spmd::DeviceList>;
            fetch(list: &overdub_spmd::DeviceList, range: std::ops::Range<usize>)
                -> Option<overdub_context::value::Array<'static>>;
        }
    };
}
pub(crate) use runs_kernels;
