/**
 * Records the content of an object and of every plain object and list in it. The returned function puts it back into the
 * same objects, because their identity tells what the request brought.
 */
export declare function recordContent(root: Record<string, unknown>): () => void;
