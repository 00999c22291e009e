// What Go asks Windows for random numbers by, for a Wine that has not got it (before 9).
#include <windows.h>

BOOLEAN WINAPI SystemFunction036(PVOID buffer, ULONG bytes); // RtlGenRandom

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE buffer, SIZE_T bytes)
{
	return SystemFunction036(buffer, (ULONG)bytes);
}
