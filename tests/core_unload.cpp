/* core_unload.cpp: a module with zones and values in the kinds of C++ functions whose static variables g++ makes one
 * in the whole process.  dlclose unloads it all the same. */
#include <prof.h>

inline int in_function(int n)
{
	Prof(1_inline);
	Prof_Counter_Add(inline_counter, n);
	if (n > 0) {
		Prof(1_inline);
		return n;
	}
	return 0;
}

struct Plain {
	int count;

	int in_method(int n)
	{
		Prof_Function;
		Prof_Begin(begun)
		Prof_End
		Prof_Event(method_event);
		Prof_Note("%d of %d", n, count);
		return count += n;
	}
};

/* As the classes of a module often are that others derive from. */
template <typename T> struct __attribute__((visibility("default"))) Shown {
	T count;

	explicit Shown(T n) : count(n)
	{
		Prof(constructor);
	}
	virtual ~Shown()
	{
		Prof(destructor);
	}
	virtual T in_virtual()
	{
		Prof_Named("virtual, and shown");
		return count;
	}
};

/* Two classes have a function of one name. Their zones have different names. */
namespace {

struct Mesh {
	int solve(int n) { Prof_Function; return n; }
	int operator()(int n) const { Prof_Function; return n; }
	operator int() const { Prof_Function; return 0; }
};

template <typename T> struct Sound {
	T solve(T n) { Prof_Function; return n; }
	T operator()(T n) const { Prof_Function; return [=] { Prof_Function; return n; }(); }
};

int of_classes(int n)
{
	return Mesh().solve(n) + Sound<int>().solve(n) + static_cast<int>(Sound<double>().solve(n)) + Mesh()(n) + Sound<int>()(n) +
	       Mesh();
}

}

template <typename T> T in_template(T n)
{
	Prof_Function;
	Prof_Wait(waits)
	Prof_End
	Prof_Counter_Set(template_counter, n);
	auto lambda = [&] {
		Prof(lambda);
		return n;
	};
	auto generic = [](auto m) {
		Prof(generic);
		return m;
	};

	return generic(lambda());
}

/* This one is not to be made where it is used. */
extern template double in_template<double>(double n);

extern "C" int unload_run(int times);
extern "C" int unload_run(int times)
{
	Plain plain{ 0 };

	for (int i = 0; i < times; i++) {
		Shown<int> whole(1);
		Shown<double> real(1.0);
		int sum = in_function(1) + in_template(1) + whole.in_virtual();
		if (sum + static_cast<int>(in_template(1.0) + real.in_virtual()) != 5)
			return -1;
		plain.in_method(1);
		if (of_classes(1) != 5)
			return -1;
	}
	return plain.count;
}

template double in_template<double>(double n);
