import * as z from 'zod';

// Each shape parses a few small files once, so compiling a parser costs more than it saves. zod reads this
// when a shape is created, so it must come first.
z.config({ jitless: true });
