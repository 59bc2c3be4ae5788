/**
 * scrypt at N = 2^15, r = 8, p = 3: 32 MiB and about 0.3 s of one libuv thread per hash. In a module of its
 * own, so that the test bundle can replace it; it cannot be changed at run time.
 */
export declare const COST: {
    readonly ln: 15;
    readonly r: 8;
    readonly p: 3;
};
