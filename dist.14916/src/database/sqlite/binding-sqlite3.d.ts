import { type Binding } from './binding.ts';
interface Native {
    Database: new (file: string, callback: (error: Error | null) => void) => unknown;
}
/** SQLite on the npm package `sqlite3`, which runs in libuv's threads. */
export declare function createBinding(native: Native): Binding;
export {};
