/**
 * scrypt at N = 2^15, r = 8, p = 3: 32 MiB and about 0.3 s of one libuv thread per hash. In a module of its
 * own, so that the test bundle can replace it; it cannot be changed at run time.
 */
export const COST = { ln: 15, r: 8, p: 3 } as const;
