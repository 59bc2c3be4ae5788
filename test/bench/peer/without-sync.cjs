// For the bench alone, loaded by `node --require` into a server: SQLite then syncs at a checkpoint and not at each commit, as
// PocketBase has it. The server itself sets `synchronous=FULL` and reads it back, so this comes after that.
const sqlite3 = require('sqlite3');
const { exec } = sqlite3.Database.prototype;

/** Tries again while a transaction is open: SQLite refuses the change within one. */
function relax(database) {
  exec.call(database, 'pragma synchronous = normal', (error) => {
    if (error) setTimeout(relax, 20, database);
    else
      database.get('pragma synchronous', (_, row) => {
        if (row?.synchronous !== 1) throw new Error(`synchronous is ${row?.synchronous}, not 1 (NORMAL)`);
      });
  });
}

sqlite3.Database.prototype.exec = function (sql, ...rest) {
  if (/synchronous\s*=\s*full/i.test(sql)) setTimeout(relax, 200, this);
  return exec.call(this, sql, ...rest);
};
