// Keeps a file to itself until it is killed, as programs of Windows do by default: lock.exe FILE
#include <stdio.h>
#include <windows.h>

int main(void)
{
	int count;
	WCHAR **args = CommandLineToArgvW(GetCommandLineW(), &count);
	if (count != 2 || CreateFileW(args[1], GENERIC_READ, 0, NULL, OPEN_EXISTING, 0, NULL) == INVALID_HANDLE_VALUE)
		return 1;
	puts("locked");
	fflush(stdout);
	Sleep(INFINITE);
}
