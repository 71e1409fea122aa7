/** Squashes the migrations into the schema for SQL Server test databases: `npm run schema`. */
import { writeFileSync } from 'node:fs';
import { makeSchema } from './make-schema.ts';
import { SCHEMA_FILE } from './sql-server-schema.ts';

writeFileSync(SCHEMA_FILE, await makeSchema());
process.stdout.write(`${SCHEMA_FILE}\n`);
