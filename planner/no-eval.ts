/** Before any schema is made: the policy of the page refuses the code that zod would write, and would report the attempt. */
import { z } from 'zod';

z.config({ jitless: true });
