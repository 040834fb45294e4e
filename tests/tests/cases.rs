//! One test for each folder of cases.

use overdub_tests::{check_folder, folders};

macro_rules! folder_tests {
    ($($folder:ident)*) => {
        $(
            #[test]
            fn $folder() {
                if let Err(report) = check_folder(stringify!($folder)) {
                    panic!("{report}");
                }
            }
        )*

        #[test]
        fn every_folder_of_cases_is_tested() {
            let tested: Vec<String> = [$(stringify!($folder)),*].map(str::to_owned).into();
            assert_eq!(folders().expect("the folder of cases can be read"), tested);
        }
    };
}

folder_tests!(overdub parse pass run verify);
