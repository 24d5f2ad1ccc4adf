/**
 * The table of escapes from a sandbox: shell scripts that print OUT when they got out. What they are
 * told is in their environment: OTHER, STORE, HOME_FOLDER, PORT, SERVER.
 */
const CONNECT = (where: string): string =>
  `node -e 'require("net").connect(${where}).on("connect", () => { console.log("OUT"); process.exit(); }).on("error", () => process.exit(1))'`;

export const ESCAPES: Readonly<Record<string, string>> = {
  "reading another folder by ..": "cat ../other/secret && echo OUT",
  "writing into another folder by ..": "echo x > ../other/secret && echo OUT",
  "reading another folder by its path": 'cat "$OTHER/secret" && echo OUT',
  "writing by an absolute path": 'echo x > "$OTHER/new" && echo OUT',
  "reading through a link that it makes": 'ln -s "$OTHER" way && cat way/secret && echo OUT',
  "reading through a link that is there": "cat link-out/secret && echo OUT",
  "writing through a link that is there": "echo x > link-out/secret && echo OUT",
  "a hard link into the store": 'ln "$STORE/config" hard && echo OUT',
  "the environment of process 1":
    "tr '\\0' '\\n' < /proc/1/environ | grep SERVER_SECRET && echo OUT",
  "the environment of every process":
    "cat /proc/[0-9]*/environ | tr '\\0' '\\n' | grep '^SERVER_SECRET' && echo OUT",
  "the command line of process 1": 'tr "\\0" "\\n" < /proc/1/cmdline | grep "$STORE" && echo OUT',
  "the root of process 1": 'cat "/proc/1/root$OTHER/secret" && echo OUT',
  "the folder of process 1": "cat /proc/1/cwd/etc/shadow && echo OUT",
  "remounting the root": "mount -o remount,rw / && echo x > /x && echo OUT",
  "remounting /usr": "mount -o remount,rw,bind /usr && echo OUT",
  "remounting the store": 'mount -o remount,rw,bind "$STORE" && echo OUT',
  "unmounting the guard over .git": "umount .git && echo OUT",
  "mounting something": "mount -t tmpfs none /tmp && echo OUT",
  "a capability": "grep CapEff /proc/self/status | grep -v 0000000000000000 && echo OUT",
  "a user namespace": "unshare --user --map-root-user true && echo OUT",
  "a mount namespace": "unshare --mount true && echo OUT",
  "entering the server's namespaces": 'nsenter --target "$SERVER" --mount true && echo OUT',
  "changing the root": "chroot / true && echo OUT",
  "a device": "mknod disk b 8 0 && echo OUT",
  "another user": "setpriv --reuid 0 --clear-groups true && echo OUT",
  "the passwords": "cat /etc/shadow && echo OUT",
  "private keys": "ls /etc/ssl/private && echo OUT",
  "the home of root": "ls /root && echo OUT",
  "writing into /usr": "touch /usr/out && echo OUT",
  "writing into the root": "touch /out && echo OUT",
  "writing into /dev": "touch /dev/out && echo OUT",
  "filling /dev/shm": "head -c 200M /dev/zero > /dev/shm/full && echo OUT",
  "changing the store": 'echo x >> "$STORE/config" && echo OUT',
  "changing .git": "echo x >> .git && echo OUT",
  "replacing .git": "mv .git was; rm -f .git; mkdir .git && echo OUT",
  "the server's home": 'ls "$HOME_FOLDER" && echo OUT',
  "the server's token": 'cat "$HOME_FOLDER/token" && echo OUT',
  "a socket in the server's home": CONNECT("process.env.HOME_FOLDER + `/socket`"),
  "a socket without a path": CONNECT("`\\0` + process.env.ABSTRACT"),
  "the server's port": CONNECT("+process.env.PORT, `127.0.0.1`"),
  "the server's port by IPv6": CONNECT("+process.env.PORT, `::1`"),
  "a network interface": "grep -v lo: /proc/net/dev | grep : && echo OUT",
  "the name service":
    "node -e 'require(`dns`).lookup(`localhost.localdomain`, {}, (e, a) => {})'; getent hosts example.org && echo OUT",
  "a signal to the server": 'kill -0 "$SERVER" && echo OUT',
  "the server's processes": '[ -e "/proc/$SERVER" ] && echo OUT',
  "tracing the server": 'cat "/proc/$SERVER/maps" && echo OUT',
  "a setting of the kernel": "echo x > /proc/sys/kernel/hostname && echo OUT",
  // Names the program that the kernel starts, as root and outside, when a process crashes.
  "the kernel's crash handler": "(exec 3> /proc/sys/kernel/core_pattern) && echo OUT",
  "the kernel's emergency keys": "(exec 3> /proc/sysrq-trigger) && echo OUT",
  "more than its limits": "ulimit -f unlimited && echo OUT",
  "a 10 GB file": "truncate -s 10G big && echo OUT",
  "10 GB in the temporary folder":
    "truncate -s 1K /tmp/a; head -c 40M /dev/zero > /tmp/a && echo OUT",
};
