/** Makes a function of an object that computes its result once per object, and keeps it as long as the object. */
export declare function memoize<K extends object, V>(compute: (key: K) => V): (key: K) => V;
