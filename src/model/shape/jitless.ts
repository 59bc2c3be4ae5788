import * as z from 'zod';

// Each shape parses a few small files once: compiling a parser for it costs more than it saves. Read when a shape is
// made, so this stands before all of them.
z.config({ jitless: true });
